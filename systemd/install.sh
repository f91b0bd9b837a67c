#!/bin/sh
# Makes a Debian 12 or 13, or a 64-bit Raspberry Pi OS on it, boot to the table; takes it off again with --uninstall.
# Running it again installs the program beside the one that is there, switches to it, and changes nothing else. What it
# changes: docs/appliance.md.
#
# It trusts the clone that it stands in, and what root wrote. What the service's user can write, /var/lib/companion and
# /run/companion, is removed or written as that user, never read to learn what else is to be done.
set -eu
clone=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=systemd/source.sh
. "$clone/systemd/source.sh"
# shellcheck source=systemd/system.sh
. "$clone/systemd/system.sh"

# What SDL needs to draw without a desktop, and what builds the virtual environment. The Debian package depends on it.
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

# --- Where and with what ----------------------------------------------------------------------------------

root=
chooser=/usr/local/sbin/companion-release
wheels=
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
cd / # Python looks for modules where it is started, and that may be anybody's folder

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

# Lays the source, of a commit, and the wheels where the machine that is installed sees them.
lay_out() {
    make_work
    mkdir "$work/source"
    # A copy: the build writes into its folder, and nothing of root's is to stay in somebody's clone.
    for part in $PARTS; do cp -R "$clone/$part" "$work/source/"; done
    [ "$1" = unknown ] || echo "$1" >"$work/source/COMMIT" # for the program's version
    if [ -n "$wheelhouse" ]; then
        cp -R "$wheelhouse" "$work/wheelhouse"
        wheels=$inside/wheelhouse
    fi
}

install_program() {
    read -r name commit date <<END
$(describe "$clone")
END
    install -D -m 755 "$clone/systemd/companion-release" "$root$chooser"
    if take_release; then return; fi
    lay_out "$commit"
    # What builds the program is root's, too: it has a lock of its own, and no environment that pip makes for itself.
    on python3 -m venv "$inside/build" || fail "python3 -m venv failed; its message is above"
    install_locked "$inside/build" "$inside/source/systemd/build.lock"
    use_pip "$inside/build" wheel --no-build-isolation --no-index --no-deps --wheel-dir "$inside/wheel" "$inside/source"
    lay_release "$inside/wheel/$(ls "$work/wheel")" "$inside/source/systemd/requirements.lock" "$inside/source/docs/appliance.md"
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
    install -d -m 755 "$root/etc/companion"
    put_signers
    make_table
    say "enabling the table at boot"
    # shellcheck disable=SC2086
    on systemctl --quiet enable $ENABLED
}

# --- Taking it off ----------------------------------------------------------------------------------------

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
    stop_table
    drop_installed
    drop /etc/companion/allowed_signers
    if [ -z "$purge" ] && has_own; then
        say "keeping $STATE, with records, table.toml and plug-ins, and its user; --uninstall --purge removes them"
    else
        drop_table
    fi
    drop_program
    rmdir "$root/etc/companion" 2>/dev/null || true # with the note in it, whoever purges it later needs it
    end_table
    say "done; Debian packages that were installed are still there"
}

check_machine
! is_installed table-companion || fail "the Debian package table-companion is installed; apt updates and removes it"
if [ $action = uninstall ]; then
    uninstall
else
    install_packages
    install_program
    install_system
    start_table
fi
