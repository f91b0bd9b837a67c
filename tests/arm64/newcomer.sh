#!/bin/sh
# Runs commands as on a new Raspberry Pi: in an emulated, bare arm64 Debian 13 with a clone of the current commit.
# newcomer.sh COMMAND...
# Needs root. Creates the Debian once below build/arm64, in 10 minutes; delete it to get a newer one.
set -eu
umask 022

checkout=$(cd "$(dirname "$0")/../.." && pwd)
out=$checkout/build/arm64
debian=$out/debian

make_target=test-arm64
# shellcheck source=systemd/card/common.sh
. "$checkout/systemd/card/common.sh"

make_debian() {
    [ ! -e "$debian/.made" ] || return 0
    say "making a Debian 13, about 10 minutes; what it says: $out/debian.log"
    rm -rf --one-file-system "$debian"
    mmdebstrap --architectures=arm64 --variant=minbase --include=python3,python3-venv,make,git,ca-certificates \
        trixie "$debian" >"$out/debian.log" 2>&1 ||
        fail "mmdebstrap failed; the end of $out/debian.log: $(tail -n 5 "$out/debian.log")"
    chroot "$debian" useradd --create-home newcomer
    : >"$debian/.made"
}

# Gives the emulated Debian this machine's name servers, certificates and pip settings.
connect() {
    for file in resolv.conf hosts pip.conf ssl/certs/ca-certificates.crt; do
        [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$root/etc/$file"
    done
}

leave() {
    umount -l "$root/proc" "$root/dev" 2>/dev/null || true
    rm -rf --one-file-system "$root"
}

need <<END
mmdebstrap mmdebstrap
qemu-aarch64-static qemu-user-static
END
mkdir -p "$out"
make_debian
root=$(mktemp -d "$out/run.XXXXXX")
trap leave EXIT
trap 'exit 130' INT TERM
cp -a "$debian/." "$root/"
connect
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
git clone --quiet --no-hardlinks "$checkout" "$root/home/newcomer/table-companion"
chroot "$root" chown -R newcomer:newcomer /home/newcomer
settings=$(env | grep -E '^(PIP_|HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy)' | grep -v '^PIP_FIND_LINKS' || true)
for command in "$@"; do
    say "$command"
    begun=$(date +%s)
    # shellcheck disable=SC2086  # each setting is a word
    env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/newcomer USER=newcomer LANG=C.UTF-8 TERM=dumb $settings \
        "$(command -v chroot)" --userspec=newcomer:newcomer "$root" sh -c "cd ~/table-companion && $command" </dev/null
    say "$command: done in $((($(date +%s) - begun) / 60)) minutes"
done
