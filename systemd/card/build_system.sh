#!/bin/sh
# Builds the Debian of the card, without the companion: build_system.sh OUTPUT.tar
# Needs root. COMPANION_DEBIAN and COMPANION_DEBIAN_SECURITY name other archives; those of snapshot.debian.org have the
# packages of one day also in ten years, when their lists are long out of date.
set -eu
output=$1
here=$(cd "$(dirname "$0")" && pwd)
debian=${COMPANION_DEBIAN:-http://deb.debian.org/debian}
security=${COMPANION_DEBIAN_SECURITY:-http://deb.debian.org/debian-security}
components="main non-free-firmware"
options=${COMPANION_DEBIAN:+[check-valid-until=no] }

# Only what boots is there before the packages are: the initial file system is made once, while they are installed.
mmdebstrap --mode=root --architectures=arm64 --variant=essential \
    --include="$(sed 's/#.*//' "$here/packages" | xargs | tr ' ' ',')" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --essential-hook="mkdir -p \"\$1/data\" \"\$1/etc/initramfs-tools\" && cp -R '$here/initramfs/.' \"\$1/etc/initramfs-tools/\"" \
    trixie "$output" \
    "deb $options$debian trixie $components" \
    "deb $options$debian trixie-updates $components" \
    "deb $options$security trixie-security $components"
