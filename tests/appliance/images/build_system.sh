#!/bin/sh
# Builds a Debian as it is before the companion is installed, and the wheels that the installer is given:
# build_system.sh PYTHON WORK_FOLDER OUTPUT LOCK...
# Needs root. PYTHON is the host's, of the guest's version and with pip.
set -eu
python=$1
work=$2
output=$3
shift 3
root=$work/tree/root

# A Raspberry Pi OS Lite has all of this; what the companion wants beyond it, its installer says itself.
debootstrap --variant=minbase --include="\
systemd,systemd-sysv,udev,dbus,kmod,procps,e2fsprogs,adduser,ca-certificates,\
python3,python3-venv,python3-pip,python3-evdev,openssh-client,\
libdrm2,libgbm1,libegl1,libgles2,libgl1,libgl1-mesa-dri,libasound2" bookworm "$root"

# What belongs to one machine alone: the first start of the image is not to be the first start of a Debian.
echo 5f0c3a9d6b1e4c7f8a2d9e0b1c3f5a7d >"$root/etc/machine-id"
echo table >"$root/etc/hostname"
printf '127.0.0.1 localhost table\n' >"$root/etc/hosts"
printf '/dev/vda / ext4 defaults,errors=remount-ro 0 1\n' >"$root/etc/fstab"

mkdir -p "$work/tree/wheels"
for lock; do
    "$python" -m pip download --quiet --no-cache-dir --no-deps --require-hashes --only-binary :all: \
        --dest "$work/tree/wheels" --requirement "$lock"
done

mksquashfs "$work/tree" "$output" -comp zstd -Xcompression-level 3 -no-xattrs -quiet -no-progress -wildcards \
    -e 'root/var/cache/apt/archives/*' 'root/var/lib/apt/lists/*' 'root/usr/share/doc/*' 'root/usr/share/man/*' \
    'root/usr/share/locale/*'
