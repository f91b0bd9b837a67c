#!/bin/sh
# Makes a Debian 12 or 13, or a 64-bit Raspberry Pi OS on it, boot to the table; takes it off again with --uninstall.
# Running it again installs the program beside the one that is there, switches to it, and changes nothing else. What it
# changes: docs/appliance.md.
#
# It trusts the clone that it stands in, and what root wrote. What the service's user can write, /var/lib/companion and
# /run/companion, is removed or written as that user, never read to learn what else is to be done.
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
# What SDL needs to draw without a desktop, and what builds the virtual environment.
PACKAGES="python3 python3-venv libgl1 libgles2 libegl1 libgbm1 libdrm2 libgl1-mesa-dri udev openssh-client"
# Libraries that have no wheel, or not for every Python; Debian's own are seen by the virtual environment.
WISHES="python3-lgpio python3-evdev libasound2 libasound2t64"

usage() {
    cat <<END
Usage: sudo systemd/install.sh [OPTION]...
  --uninstall       take everything off again; records and a changed table.toml stay
  --purge           with --uninstall: remove those, too
  --wheelhouse DIR  take all Python packages from DIR, without a network; systemd/*.lock says which
  --no-apt          install no Debian package; they are there already
  --no-start        enable the table for the next boot, do not start it now
  --root DIR        work on the root file system in DIR, of a machine that is off (an image)
  --help            this text
END
}

say() { echo "companion: $*"; }

fail() {
    echo "companion: $*" >&2
    exit 1
}

# --- Where and with what ----------------------------------------------------------------------------------

root=
wheelhouse=
action=install
apt=yes
start=yes
purge=

while [ $# -gt 0 ]; do
    case $1 in
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        --no-apt) apt= ;;
        --no-start) start= ;;
        --root | --wheelhouse)
            [ $# -ge 2 ] || fail "$1 needs a folder; see --help"
            [ -d "$2" ] || fail "$1 $2: there is no such folder"
            folder=$(cd "$2" && pwd)
            if [ "$1" = --root ]; then root=$folder; else wheelhouse=$folder; fi
            shift
            ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) fail "$1 is not understood; see --help" ;;
    esac
    shift
done
[ "$root" != / ] || root=
[ -z "$purge" ] || [ $action = uninstall ] || fail "--purge goes with --uninstall"
clone=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=systemd/source.sh
. "$clone/systemd/source.sh"
cd / # Python looks for modules where it is started, and that may be anybody's folder

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

# --- Installing -------------------------------------------------------------------------------------------

# shellcheck disable=SC2016  # ${Status} is dpkg's
is_installed() { on dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

is_in_archive() { on apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

install_packages() {
    missing=
    for package in $PACKAGES; do is_installed "$package" || missing="$missing $package"; done
    if [ -z "$apt" ]; then
        [ -z "$missing" ] || fail "these Debian packages are missing:$missing; leave out --no-apt, or install them"
        return
    fi
    if [ -n "$missing" ]; then
        say "looking for new versions of Debian packages"
        on apt-get update -qq || fail "apt-get update failed; is there a network? (--no-apt installs none)"
    fi
    for package in $WISHES; do
        if ! is_installed "$package" && is_in_archive "$package"; then missing="$missing $package"; fi
    done
    [ -n "$missing" ] || return 0
    say "installing Debian packages:$missing"
    # shellcheck disable=SC2086 # a list of words
    on env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null ||
        fail "apt-get install failed; its message is above"
}

# Lays the source, of a commit, and the wheels where the machine that is installed sees them, and removes them at the end.
lay_out() {
    work=$(mktemp -d "$root/var/tmp/companion-install.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    inside=${work#"$root"}
    mkdir "$work/source"
    # A copy: the build writes into its folder, and nothing of root's is to stay in somebody's clone.
    for part in $PARTS; do cp -R "$clone/$part" "$work/source/"; done
    [ "$1" = unknown ] || echo "$1" >"$work/source/COMMIT" # for the program's version
    if [ -n "$wheelhouse" ]; then cp -R "$wheelhouse" "$work/wheelhouse"; fi
}

# Lays the program beside the one that runs, where nothing leads to it yet: docs/appliance.md, "Releases".
install_program() {
    read -r name commit date <<END
$(describe "$clone")
END
    install -D -m 755 "$clone/systemd/companion-release" "$root/usr/local/sbin/companion-release"
    release=$OPT/releases/$name
    if [ -f "$root$release/release.json" ] && on "$release/venv/bin/python" -c pass 2>/dev/null; then
        say "$name is there already"
        choose_release take "$name"
        return
    fi
    lay_out "$commit"
    mkdir -p "$root$OPT/releases"
    choose_release clear
    rm -rf "$root${release:?}" # its Python has gone
    say "making a virtual environment in $release/venv"
    # Debian's own python3-lgpio and python3-evdev are seen in it.
    on python3 -m venv --system-site-packages "$release/venv" || fail "python3 -m venv failed; its message is above"
    say "installing the program into $release/venv"
    # What builds the program is root's, too: it has a lock of its own, and no environment that pip makes for itself.
    on python3 -m venv "$inside/build" || fail "python3 -m venv failed; its message is above"
    install_locked "$inside/build" build.lock
    use_pip "$inside/build" wheel --no-build-isolation --no-index --no-deps --wheel-dir "$inside/wheel" "$inside/source"
    install_locked "$release/venv" requirements.lock
    use_pip "$release/venv" install --no-index --no-deps "$inside/wheel/$(ls "$work/wheel")"
    install -m 644 "$clone/docs/appliance.md" "$root$release/appliance.md"
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
    COMPANION_ROOT=$root "$root/usr/local/sbin/companion-release" "$@" || fail "the program was not changed"
}

# Installs the packages of a lock into a virtual environment: these versions, and only if their content is as it was
# when the lock was made. Wheels only, since the build of a source package would fetch what no lock names.
install_locked() {
    where=
    [ -z "$wheelhouse" ] || where="--no-index --find-links $inside/wheelhouse"
    # shellcheck disable=SC2086 # words
    use_pip "$1" install $where --require-hashes --only-binary :all: --requirement "$inside/source/systemd/$2"
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

# Copies a file if it is not there already as it is; says which.
put() {
    cmp -s "$1" "$root$2" && return
    say "writing $2"
    install -D -m 644 "$1" "$root$2"
}

# Has the machine take the releases of whom this clone names; whom it names already stays.
put_signers() {
    signers=$root/etc/companion/allowed_signers
    [ -e "$signers" ] || install -m 644 "$clone/systemd/allowed_signers" "$signers"
    grep '^[^#]' "$clone/systemd/allowed_signers" | while read -r line; do
        if ! grep -qxF "$line" "$signers"; then
            say "taking releases of ${line##* }"
            echo "$line" >>"$signers"
        fi
    done
}

install_system() {
    put "$clone/systemd/companion.sysusers" /etc/sysusers.d/companion.conf
    put "$clone/systemd/companion.tmpfiles" /etc/tmpfiles.d/companion.conf
    for rules in $RULES; do put "$clone/systemd/$rules" "/etc/udev/rules.d/$rules"; done
    for unit in $UNITS; do put "$clone/systemd/$unit" "/etc/systemd/system/$unit"; done
    put "$clone/systemd/level" /etc/companion/system
    install -d -m 755 "$root/usr/local/bin"
    ln -sfn "$OPT/current/venv/bin/companion" "$root/usr/local/bin/companion"
    ln -sfn current/appliance.md "$root$OPT/appliance.md"
    adopt_note
    install -d -m 755 "$root/etc/companion"
    put_signers
    for group in $DEVICE_GROUPS; do
        if ! on getent group "$group" >/dev/null && ! is_noted "$group"; then echo "$group" >>"$root$NOTE"; fi
    done
    on getent passwd companion >/dev/null || say "adding the user companion"
    on systemd-sysusers /etc/sysusers.d/companion.conf
    on install -d -m 700 -o companion -g companion "$STATE"
    if ! as_table test -e "$STATE/table.toml"; then
        say "writing $STATE/table.toml"
        as_table cp "$OPT/current/table.toml.default" "$STATE/table.toml" || fail "what is $STATE/table.toml? It is in the way"
    fi
    ln -sfn "$STATE/table.toml" "$root/etc/companion/table.toml"
    say "enabling the table at boot"
    # shellcheck disable=SC2086
    on systemctl --quiet enable $ENABLED
    # Where the program was before there were releases.
    rm -rf "$root${OPT:?}/venv" "$root$OPT/table.toml.default"
}

# Runs a command on the machine as the service's user: what that user's links lead to, only that user's rights reach.
# In a session of its own, so that it has no hold of root's terminal.
as_table() {
    on setpriv --reuid companion --regid companion --clear-groups --no-new-privs setsid --wait "$@" </dev/null
}

# Takes over the note of an installation that kept it beside the program.
adopt_note() {
    if [ -f "$root$OPT/groups" ]; then install -D -m 644 "$root$OPT/groups" "$root$NOTE"; fi
    rm -f "$root$OPT/groups"
}

# Tells whether the note says that the installer added this group. A note that anybody but root can have written, or
# put there, says nothing.
is_noted() {
    [ -f "$root$NOTE" ] && ! [ -L "$root$NOTE" ] && [ "$(stat -c %u "$root$NOTE")" = 0 ] && grep -qx "$1" "$root$NOTE"
}

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

# Tells whether what the people at the table made is there.
has_own() {
    [ -d "$root$STATE" ] || return 1
    [ -z "$(find "$root$STATE" \( -name '*.record*' -o -path "$root$STATE/plugins/*" \) 2>/dev/null | head -n 1)" ] || return 0
    table=$root$STATE/table.toml
    # A link or a pipe is not opened: it was not the installer that made it.
    if [ -L "$table" ] || { [ -e "$table" ] && ! [ -f "$table" ]; }; then return 0; fi
    [ -e "$table" ] && ! cmp -s "$table" "$root$OPT/current/table.toml.default"
}

uninstall() {
    for unit in $UNITS; do
        if is_live; then systemctl --quiet stop "$unit" 2>/dev/null || true; fi
    done
    # shellcheck disable=SC2086
    on systemctl --quiet disable $ENABLED 2>/dev/null || true
    for unit in $UNITS; do drop "/etc/systemd/system/$unit"; done
    for rules in $RULES; do drop "/etc/udev/rules.d/$rules"; done
    drop /etc/sysusers.d/companion.conf /etc/tmpfiles.d/companion.conf
    rmdir "$root/etc/sysusers.d" 2>/dev/null || true # which Debian does not have
    drop /usr/local/bin/companion /usr/local/sbin/companion-release /run/companion /run/companion-update
    drop /etc/companion/table.toml /etc/companion/allowed_signers /etc/companion/system
    adopt_note
    if [ -z "$purge" ] && has_own; then
        say "keeping $STATE, with records, table.toml and plug-ins, and its user; --uninstall --purge removes them"
        rmdir "$root/etc/companion" 2>/dev/null || true # with the note in it, whoever purges it later needs it
    else
        drop "$STATE"
        remove_user
        drop /etc/companion
    fi
    drop "$OPT"
    if is_live; then
        systemctl daemon-reload
        udevadm control --reload
        systemctl --no-block start getty@tty1.service
    fi
    say "done; Debian packages that were installed are still there"
}

remove_user() {
    if on getent passwd companion >/dev/null; then
        say "removing the user companion"
        on userdel companion
    fi
    for group in $DEVICE_GROUPS; do
        if is_noted "$group" && on getent group "$group" >/dev/null; then on groupdel "$group"; fi
    done
}

check_machine
if [ $action = uninstall ]; then
    uninstall
else
    install_packages
    install_program
    install_system
    start_table
fi
