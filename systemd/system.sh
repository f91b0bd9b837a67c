# How a Debian becomes a table, and stops being one. Read by install.sh; make_deb.py begins the scripts of the Debian
# package with it. Both say first, beside what they decide:
#   root     the root file system that is changed; empty: this machine's
#   chooser  where companion-release is in it
#   wheels   a folder in it with all Python packages; empty: they are fetched from PyPI
# shellcheck shell=sh
# shellcheck disable=SC2154  # these, and those of the functions that say so
set -eu
umask 022

OPT=/opt/companion
STATE=/var/lib/companion
# Which of the groups of devices the installer has added, by name. Only root writes there, and it outlives the program.
NOTE=/etc/companion/groups
DEVICE_GROUPS="audio dialout gpio input render tty video"
UNITS="companion.service companion-safe.service companion-poweroff.path companion-poweroff.service
companion-again.path companion-again.service companion-good.path companion-good.service
companion-update.path companion-update.service companion-stick@.service"
ENABLED="companion.service companion-poweroff.path companion-again.path companion-update.path
companion-good.path"
RULES="60-companion.rules 90-companion-stick.rules"

say() { echo "companion: $*"; }

fail() {
    echo "companion: $*" >&2
    exit 1
}

# Runs a command on the machine that is installed.
on() {
    if [ -n "$root" ]; then chroot "$root" "$@"; else "$@"; fi
}

# Tells whether systemd runs this machine, so that units can be started.
is_live() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

# Returns a value of the machine's os-release, which is read and not run.
release() { sed -n "s/^$1=//p" "$root/etc/os-release" | tr -d "\"'"; }

check_machine() {
    [ "$(id -u)" = 0 ] || fail "this changes the system: run it with sudo"
    [ -r "$root/etc/os-release" ] || fail "${root:-/}: there is no /etc/os-release; this is no Debian"
    id="$(release ID) $(release ID_LIKE)"
    version=$(release VERSION_ID)
    case " $id " in
        *" debian "*) ;;
        *) fail "this is $id; the table runs on Debian and Raspberry Pi OS" ;;
    esac
    case $version in
        12 | 13) ;;
        *) fail "this is version ${version:-unknown} of Debian; 12 (bookworm) and 13 (trixie) are supported" ;;
    esac
    case $(on dpkg --print-architecture) in
        arm64 | amd64) ;;
        *) fail "this system is not of 64 bits; write the 64-bit Raspberry Pi OS onto the card" ;;
    esac
}

# --- The program ------------------------------------------------------------------------------------------

# Makes a folder that the machine sees too, and that is gone at the end: $work; $inside is its name there.
make_work() {
    work=$(mktemp -d "$root/var/tmp/companion-install.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    inside=${work#"$root"}
}

# Tells whether the release $name is there, for the machine's Python; switches to it then.
take_release() {
    release=$OPT/releases/$name
    [ -f "$root$release/release.json" ] && on "$release/venv/bin/companion" --version >/dev/null 2>&1 || return 1
    say "$name is there already"
    choose_release take "$name"
}

# Lays a release beside the one that runs, where nothing leads to it yet: docs/appliance.md, "Releases".
# lay_release WHEEL LOCK GUIDE, files of the machine; $name, $commit and $date are the release's.
lay_release() {
    mkdir -p "$root$OPT/releases"
    choose_release clear
    rm -rf "$root${release:?}" # its Python has gone
    say "making a virtual environment in $release/venv"
    # Debian's own python3-lgpio and python3-evdev are seen in it.
    on python3 -m venv --system-site-packages "$release/venv" || fail "python3 -m venv failed; its message is above"
    say "installing the program into $release/venv"
    install_locked "$release/venv" "$2"
    use_pip "$release/venv" install --no-index --no-deps "$1"
    on install -m 644 "$3" "$release/appliance.md"
    on "$release/venv/bin/companion" config init "$inside/table.toml" >/dev/null
    # Where the service keeps them, also for the commands that one types.
    sed "s|^#folder = .*|folder = \"$STATE/matches\"|" "$work/table.toml" >"$root$release/table.toml.default"
    chmod 644 "$root$release/table.toml.default"
    sync
    printf '{"version": "%s", "commit": "%s", "date": %s}\n' "$name" "$commit" "$date" >"$root$release/release.json"
    sync
    choose_release take "$name"
}

# Has the machine's releases changed by what chooses them at each start.
choose_release() {
    COMPANION_ROOT=$root "$root$chooser" "$@" || fail "the program was not changed"
}

# Installs the packages of a lock into a virtual environment: these versions, and only if their content is as it was
# when the lock was made. Wheels only, since the build of a source package would fetch what no lock names.
install_locked() {
    where=
    [ -z "$wheels" ] || where="--no-index --find-links $wheels"
    # shellcheck disable=SC2086 # words
    use_pip "$1" install $where --require-hashes --only-binary :all: --requirement "$2"
}

# Runs the pip of a virtual environment.
use_pip() {
    venv=$1
    command=$2
    shift 2
    on env PIP_CACHE_DIR="$inside/cache" TMPDIR="$inside" PIP_ROOT_USER_ACTION=ignore "$venv/bin/pip" "$command" \
        --quiet --disable-pip-version-check --no-input "$@" || fail "pip could not install the program; its message \
is above. Without a network: --wheelhouse DIR, a folder of the very files that systemd/*.lock name"
}

# --- The table --------------------------------------------------------------------------------------------

# Gives the table its user, its folder and its table.toml.
make_table() {
    ln -sfn current/appliance.md "$root$OPT/appliance.md"
    for group in $DEVICE_GROUPS; do
        if ! on getent group "$group" >/dev/null && ! is_noted "$group"; then echo "$group" >>"$root$NOTE"; fi
    done
    on getent passwd companion >/dev/null || say "adding the user companion"
    on systemd-sysusers companion.conf
    on install -d -m 700 -o companion -g companion "$STATE"
    if ! as_table test -e "$STATE/table.toml"; then
        say "writing $STATE/table.toml"
        as_table cp "$OPT/current/table.toml.default" "$STATE/table.toml" || fail "what is $STATE/table.toml? It is in the way"
    fi
    ln -sfn "$STATE/table.toml" "$root/etc/companion/table.toml"
}

# Runs a command on the machine as the service's user: what that user's links lead to, only that user's rights reach.
# In a session of its own, so that it has no hold of root's terminal.
as_table() {
    on setpriv --reuid companion --regid companion --clear-groups --no-new-privs setsid --wait "$@" </dev/null
}

# Tells whether the note says that the installer added this group. A note that anybody but root can have written, or
# put there, says nothing.
is_noted() {
    [ -f "$root$NOTE" ] && ! [ -L "$root$NOTE" ] && [ "$(stat -c %u "$root$NOTE")" = 0 ] && grep -qx "$1" "$root$NOTE"
}

# Starts the table, unless $start is empty.
start_table() {
    if ! is_live; then
        say "done; the table begins when this system boots"
        return
    fi
    systemctl daemon-reload
    udevadm control --reload
    udevadm trigger --subsystem-match=gpio --subsystem-match=tty --subsystem-match=input --subsystem-match=leds
    if systemctl --quiet is-active display-manager.service; then
        say "a desktop has the screen; the table needs it for itself: sudo systemctl set-default multi-user.target"
        say "done; the table begins after the next boot"
    elif [ -n "$start" ]; then
        say "starting the table"
        systemctl --no-block restart companion-poweroff.path companion-again.path companion-update.path \
            companion-good.path companion.service
    fi
}

# --- Taking it off ----------------------------------------------------------------------------------------

# Removes files, and says so of those that are there.
drop() {
    for path; do
        if [ -e "$root$path" ] || [ -L "$root$path" ]; then
            say "removing $path"
            rm -rf "$root$path"
        fi
    done
}

stop_table() {
    is_live || return 0
    for unit in $UNITS; do systemctl --quiet stop "$unit" 2>/dev/null || true; done
}

# Removes what install.sh has written into the system; the package has its own, elsewhere.
drop_installed() {
    # shellcheck disable=SC2086
    on systemctl --quiet disable $ENABLED 2>/dev/null || true
    for unit in $UNITS; do drop "/etc/systemd/system/$unit"; done
    for rules in $RULES; do drop "/etc/udev/rules.d/$rules"; done
    drop /etc/sysusers.d/companion.conf /etc/tmpfiles.d/companion.conf
    rmdir "$root/etc/sysusers.d" 2>/dev/null || true # which Debian does not have
    drop /usr/local/bin/companion /usr/local/sbin/companion-release /etc/companion/system
}

# Removes the program, and what it has while it runs.
drop_program() { drop /run/companion /run/companion-update /etc/companion/table.toml "$OPT"; }

# Removes what the people at the table made, their settings and the table's user.
drop_table() {
    drop "$STATE"
    if on getent passwd companion >/dev/null; then
        say "removing the user companion"
        on userdel companion
    fi
    for group in $DEVICE_GROUPS; do
        if is_noted "$group" && on getent group "$group" >/dev/null; then on groupdel "$group"; fi
    done
    drop /etc/companion
}

# Has the machine notice that the units and rules are gone.
end_table() {
    is_live || return 0
    systemctl daemon-reload
    udevadm control --reload
    systemctl --no-block start getty@tty1.service
}
