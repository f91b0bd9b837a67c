# shellcheck shell=sh
# shellcheck disable=SC2154  # they set here, checkout, python and work
# What make_card.sh, onto_base.sh and tests/arm64/newcomer.sh have in common, of which make_target says which runs.
make_target=${make_target:-card}

say() { echo "$make_target: $*"; }

fail() {
    echo "$make_target: $*" >&2
    exit 1
}

# Fails unless root runs this and all programs are there: a line of the standard input has a program and its package.
need() {
    [ "$(id -u)" = 0 ] || fail "it makes a Debian, which needs root: sudo make $make_target"
    missing=
    while read -r tool package; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || missing="$missing $package"
    done
    [ -z "$missing" ] || fail "packages are missing; as root: apt-get install -y$missing"
    # The card's own programs run here, by the kernel's register of strange processors.
    register=/proc/sys/fs/binfmt_misc
    if [ "$(uname -m)" != aarch64 ] && [ ! -e $register/qemu-aarch64 ]; then
        [ -e $register/register ] || mount -t binfmt_misc binfmt_misc $register ||
            fail "this kernel runs no programs of another processor; is this a container? It wants binfmt_misc"
        cat /usr/lib/binfmt.d/qemu-aarch64.conf >$register/register
    fi
}

# Fetches what our locks name for an aarch64 with a Python, as 3.13: fetch_wheels VERSION.
fetch_wheels() {
    "$python" "$here/wheels.py" "$1" "$checkout/systemd/requirements.lock" "$checkout/systemd/build.lock" >"$work/wanted"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
        --python-version "$1" --implementation cp --abi "cp$(echo "$1" | tr -d .)" --abi abi3 --abi none \
        --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        --dest "$work/wheels" --requirement "$work/wanted"
}

version_of() { sed -n 's/^version = "\(.*\)"/\1/p' "$checkout/pyproject.toml" | head -n 1; }

# Fails unless the kernel below a root file system has what every table needs: picture, keys, pods and sound.
check_drivers() {
    for driver in vc4 v3d usbhid evdev cdc-acm snd-usb-audio; do
        grep -qs "/$driver\.ko" "$1"/usr/lib/modules/*/modules.dep "$1"/usr/lib/modules/*/modules.builtin ||
            fail "Debian's kernel has no driver $driver: $(basename "$1"/usr/lib/modules/*). Take the packages of an earlier \
day: docs/card.md, \"The same bytes again\""
    done
}
