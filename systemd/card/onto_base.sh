#!/bin/sh
# Puts the table onto an image of Raspberry Pi OS: onto_base.sh PYTHON IMAGE. Run it by `make card BASE=IMAGE`.
# PYTHON is one of our virtual environments. The image that is given is only read; docs/card.md has what becomes of it.
# Needs root, and loop devices to mount its root file system by.
set -eu
umask 022
# What is mounted here is seen by nobody else, and gone when this ends, however it ends.
[ -n "${COMPANION_UNSHARED:-}" ] || exec env COMPANION_UNSHARED=1 unshare --mount "$0" "$@"
python=$1
base=$2

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
out=$checkout/build/card
room_mb=1280 # for the table, and for what it wants of Debian
# shellcheck source=systemd/card/common.sh
. "$here/common.sh"

# Sets where boot and root are in an image, in sectors of 512 bytes.
find_partitions() {
    table=$(sfdisk --dump "$1" 2>&1 | sed -n 's/.*start= *\([0-9]*\), size= *\([0-9]*\), type=\([^, ]*\).*/\1 \2 \3/p')
    # shellcheck disable=SC2086  # words
    set -- $table
    case $#:${3:-}:${6:-} in
        6:[bce]:83) ;;
        *) fail "$base: its partitions are (start, size, type) ${table:-none}; an image of Raspberry Pi OS has two, one of \
FAT (type c) and one of ext4 (type 83). Give it as it was downloaded, as .img or .img.xz" ;;
    esac
    boot_at=$1
    root_at=$4
    root_size=$5
}

# Takes the root file system out of the copy, as a file with more room.
take_root() {
    dd if="$work/card.img" of="$work/root.img" bs=1M iflag=skip_bytes,count_bytes conv=sparse status=none \
        skip=$((root_at * 512)) count=$((root_size * 512))
    grown check
    truncate -s "+${room_mb}M" "$work/root.img"
    resize2fs "$work/root.img" >"$work/log" 2>&1 || fail "$base: resize2fs: $(tail -n 3 "$work/log")"
}

# Checks the root file system, and mends what a checker mends by itself.
grown() {
    status=0
    e2fsck -f -p "$work/root.img" >"$work/log" 2>&1 || status=$?
    [ $status -le 1 ] || fail "$base: $1: its root is no whole ext4: $(tail -n 3 "$work/log")"
}

mount_root() {
    mount -o loop "$work/root.img" "$tree" 2>"$work/log" ||
        fail "its root file system cannot be mounted: $(cat "$work/log"). This needs loop devices (modprobe loop); a container \
has them when it is started with --privileged"
    mount -t proc proc "$tree/proc"
    mount --bind /dev "$tree/dev"
}

install_table() {
    # Packages that are installed start nothing here, and are found by this machine's network.
    printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
    chmod 755 "$tree/usr/sbin/policy-rc.d"
    if [ -e "$tree/etc/resolv.conf" ] || [ -L "$tree/etc/resolv.conf" ]; then mv "$tree/etc/resolv.conf" "$tree/etc/resolv.kept"; fi
    cp /etc/resolv.conf "$tree/etc/resolv.conf"
    env -i PATH="$PATH" "$checkout/systemd/install.sh" --root "$tree" --wheelhouse "$work/wheels"
    rm "$tree/usr/sbin/policy-rc.d" "$tree/etc/resolv.conf"
    if [ -e "$tree/etc/resolv.kept" ] || [ -L "$tree/etc/resolv.kept" ]; then mv "$tree/etc/resolv.kept" "$tree/etc/resolv.conf"; fi
}

# Of what makes a Debian a card: companion.txt, and no questions that only a keyboard could answer.
furnish() {
    for part in companion-card.service companion.service.d/card.conf companion-safe.service.d/card.conf; do
        install -D -m 644 "$here/tree/etc/systemd/system/$part" "$tree/etc/systemd/system/$part"
    done
    chroot "$tree" systemctl --quiet set-default multi-user.target
    chroot "$tree" systemctl --quiet enable companion-card.service
    chroot "$tree" systemctl --quiet mask userconfig.service # asks on the screen for the name of a user
    sed '/with a ribbon/d; /^# Wi-Fi/,/^$/d; /^# Your public key/,$d' "$here/boot/companion.txt" >"$work/companion.txt"
    echo "# Wi-Fi and ssh are those of Raspberry Pi OS: set them in Raspberry Pi Imager." >>"$work/companion.txt"
    sed -i 's/$/\r/' "$work/companion.txt" # as the oldest editor wants it
    mcopy -o -i "$work/card.img@@$((boot_at * 512))" "$work/companion.txt" ::
}

put_root_back() {
    umount -R "$tree"
    grown "with the table on it"
    truncate -s $((root_at * 512)) "$work/card.img" # what lies behind is to be empty where the new one is
    truncate -s $((root_at * 512 + $(stat -c %s "$work/root.img"))) "$work/card.img"
    dd if="$work/root.img" of="$work/card.img" bs=1M oflag=seek_bytes seek=$((root_at * 512)) conv=notrunc,sparse status=none
    echo ", +" | sfdisk --quiet --no-reread --no-tell-kernel -N 2 "$work/card.img"
}

need <<END
qemu-aarch64-static qemu-user-static
mcopy mtools
sfdisk fdisk
resize2fs e2fsprogs
xz xz-utils
END
[ -f "$base" ] || fail "BASE=$base: there is no such file; it is an image of the 64-bit Raspberry Pi OS, .img or .img.xz"
mkdir -p "$out"
work=$(mktemp -d "$out/work.XXXXXX")
tree=$work/tree
trap 'umount -R "$tree" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$tree"
case $base in
    *.xz) xz --decompress --stdout "$base" >"$work/card.img" ;;
    *) cp --sparse=always "$base" "$work/card.img" ;;
esac
name=table-companion-$(version_of)-on-$(basename "${base%.xz}")
find_partitions "$work/card.img"
take_root
mount_root
fetch_wheels "$(basename "$(readlink -f "$tree/usr/bin/python3")" | sed 's/^python//')"
say "installing the table, about 10 minutes"
install_table
furnish
put_root_back
mv "$work/card.img" "$out/$name"
say "$out/$name"
