#!/bin/sh
# Makes an image like Raspberry Pi OS from the Debian of a card: make_base.sh SYSTEM.tar WORK OUTPUT
# It needs no network. It has the same partitions, mounts, empty /dev and Debian, but not the kernel, packages and
# first-start questions of Raspberry Pi OS. Needs root.
set -eu
system=$1
work=$2
output=$3
id=4e639091
boot_mb=128
tree=$work/base-tree
boot=$work/base-boot

mkdir "$tree" "$boot"
tar -C "$tree" --numeric-owner -xf "$system"
# Remove what makes it a card. Linux reads several initial file systems, and the last one wins.
rm -r "$tree"/etc/initramfs-tools/hooks/companion "$tree"/etc/initramfs-tools/scripts/local-bottom/companion "$tree/data"
mkdir -p "$work/nothing/scripts/local-bottom" "$tree/boot/firmware"
printf '#!/bin/sh\n' >"$work/nothing/scripts/local-bottom/companion"
chmod 755 "$work/nothing/scripts/local-bottom/companion"
(cd "$work/nothing" && echo scripts/local-bottom/companion | cpio --quiet -o -H newc | gzip) >>"$(echo "$tree"/boot/initrd.img-*)"
cat >"$tree/etc/fstab" <<END
PARTUUID=$id-01  /boot/firmware  vfat  defaults          0  2
PARTUUID=$id-02  /               ext4  defaults,noatime  0  1
END
echo raspberrypi >"$tree/etc/hostname"
printf '[Unit]\nDescription=Asks for a user\n[Service]\nExecStart=sleep infinity\n[Install]\nWantedBy=multi-user.target\n' \
    >"$tree/usr/lib/systemd/system/userconfig.service"
chroot "$tree" systemctl --quiet enable userconfig.service
mv "$tree"/boot/vmlinuz-* "$boot/vmlinuz"
mv "$tree"/boot/initrd.img-* "$boot/initrd.img"
echo "console=tty1 root=PARTUUID=$id-02 rootfstype=ext4 fsck.repair=yes rootwait quiet" >"$boot/cmdline.txt"
rm -rf "${tree:?}"/dev/* "$tree"/vmlinuz* "$tree"/initrd*

truncate -s ${boot_mb}M "$work/base-boot.img"
mformat -i "$work/base-boot.img" -F -v bootfs ::
mcopy -i "$work/base-boot.img" "$boot"/* ::
root_mb=$(($(du -sm "$tree" | cut -f 1) * 112 / 100 + 64))
mke2fs -q -t ext4 -L rootfs -E root_owner=0:0 -d "$tree" "$work/base-root.img" ${root_mb}M
truncate -s $((4 + boot_mb + root_mb))M "$output"
sfdisk --quiet "$output" <<END
label: dos
label-id: 0x$id
start=4MiB, size=${boot_mb}MiB, type=c
start=$((4 + boot_mb))MiB, size=${root_mb}MiB, type=83
END
dd if="$work/base-boot.img" of="$output" bs=1M seek=4 conv=notrunc,sparse status=none
dd if="$work/base-root.img" of="$output" bs=1M seek=$((4 + boot_mb)) conv=notrunc,sparse status=none
rm -rf "$tree" "$boot" "$work/base-boot.img" "$work/base-root.img"
