#!/bin/sh
# Builds the Debian of the card, without the companion: build_system.sh OUTPUT.tar
# Needs root. COMPANION_DEBIAN names the archive; one of snapshot.debian.org has the same packages in ten years.
set -eu
output=$1
here=$(cd "$(dirname "$0")" && pwd)
mirror=${COMPANION_DEBIAN:-http://deb.debian.org}
components="main non-free-firmware"

# Only what boots is there before the packages are: the initial file system is made once, while they are installed.
mmdebstrap --mode=root --architectures=arm64 --variant=essential \
    --include="$(sed 's/#.*//' "$here/packages" | xargs | tr ' ' ',')" \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --essential-hook="mkdir -p \"\$1/data\" \"\$1/etc/initramfs-tools\" && cp -R '$here/initramfs/.' \"\$1/etc/initramfs-tools/\"" \
    trixie "$output" \
    "deb $mirror/debian trixie $components" \
    "deb $mirror/debian trixie-updates $components" \
    "deb $mirror/debian-security trixie-security $components"
