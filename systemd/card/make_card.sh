#!/bin/sh
# Makes the image of a card: a Debian 13 that boots to the table on a Raspberry Pi. Run it by `make card`.
# make_card.sh PYTHON
# PYTHON is one of our virtual environments.
# Needs root. docs/card.md has what it makes, and how.
set -eu
umask 022
python=$1

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
out=$checkout/build/card
disk_id=c0ffeeb0 # initramfs/, tree/etc/fstab and boot/cmdline.txt name it, too
boot_mb=256
data_mb=64

# shellcheck source=systemd/card/common.sh
. "$here/common.sh"

# --- The root file system ---------------------------------------------------------------------------------

# Lays the Debian of the card into $tree; it is made once for what is in packages and initramfs/.
lay_system() {
    made_of=$(find "$here/packages" "$here/build_system.sh" "$here/initramfs" -type f | LC_ALL=C sort |
        xargs sha256sum | sed 's|  .*/card/|  |' | sha256sum | cut -c 1-12)
    system=$out/system-$made_of.tar
    if [ ! -e "$system" ]; then
        say "making a Debian 13 for arm64, about 15 minutes; what it says: $out/system.log"
        rm -f "$out"/system-*.tar
        # Of the day on which its recipe was changed last, so that every commit has the same.
        changed=$(git -C "$here" log -1 --format=%ct -- packages initramfs build_system.sh)
        SOURCE_DATE_EPOCH=${changed:-$SOURCE_DATE_EPOCH} "$here/build_system.sh" "$out/system.part.tar" >"$out/system.log" 2>&1 ||
            fail "mmdebstrap failed; the end of $out/system.log: $(tail -n 5 "$out/system.log")"
        mv "$out/system.part.tar" "$system"
    fi
    say "unpacking $system"
    tar -C "$tree" --numeric-owner -xf "$system"
    check_drivers "$tree"
}

# Debian 13 has no lgpio, and PyPI no wheel of it for its Python: it is compiled here.
fetch_lgpio() {
    sed -n 's/ \\$//; s/^\(lgpio==[^ ]*\) .*/\1/p' "$checkout/systemd/requirements.lock" >"$work/lgpio"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary lgpio \
        --dest "$work/wheels" --requirement "$work/lgpio"
}

install_table() {
    say "compiling lgpio"
    "$here/build_lgpio.sh" "$work"/wheels/lgpio-*.tar.gz "$work/lgpio-build" "$tree" >"$out/lgpio.log" 2>&1 ||
        fail "lgpio was not compiled; the end of $out/lgpio.log: $(tail -n 5 "$out/lgpio.log")"
    rm "$work"/wheels/lgpio-*
    # Nothing of the surroundings is to come into the card.
    env -i PATH="$PATH" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" PYTHONDONTWRITEBYTECODE=1 \
        "$checkout/systemd/install.sh" --root "$tree" --wheelhouse "$work/wheels" --no-apt
}

# Makes a Debian with the table one that nobody has to look after.
furnish() {
    cp -R "$here/tree/." "$tree/"
    chroot "$tree" systemctl --quiet set-default multi-user.target
    chroot "$tree" systemctl --quiet enable companion-card.service companion-grow.service ssh.service \
        systemd-networkd.service systemd-resolved.service systemd-timesyncd.service
    # With the radio itself: a start that wanted it would wait 90 seconds for one that is not there.
    mkdir -p "$tree/etc/systemd/system/sys-subsystem-net-devices-wlan0.device.wants"
    ln -s /usr/lib/systemd/system/wpa_supplicant@.service \
        "$tree/etc/systemd/system/sys-subsystem-net-devices-wlan0.device.wants/wpa_supplicant@wlan0.service"
    chroot "$tree" systemctl --quiet disable wpa_supplicant.service
    chroot "$tree" systemctl --quiet mask systemd-networkd-wait-online.service dpkg-db-backup.timer \
        e2scrub_all.timer e2scrub_reap.service systemd-firstboot.service systemd-machine-id-commit.service
    chroot "$tree" passwd --quiet --lock root
    ln -sfn ../run/systemd/resolve/stub-resolv.conf "$tree/etc/resolv.conf"
    dpkg-query --admindir="$tree/var/lib/dpkg" -W >"$out/$name.packages"
}

# Takes out what is one machine's own, and what says when and where the card was made.
clean() {
    rm -rf "$tree"/etc/ssh/ssh_host_* "$tree"/var/lib/systemd/random-seed "$tree"/var/lib/dbus/machine-id \
        "$tree"/var/cache/apt "$tree"/var/cache/ldconfig "$tree"/var/lib/apt/lists "$tree"/var/cache/debconf/*-old \
        "$tree"/boot/firmware/* "$tree"/boot/System.map-* "$tree"/boot/*.old "$tree"/vmlinuz* "$tree"/initrd* \
        "$tree"/var/lib/dpkg/*-old "$tree"/etc/*-
    find "$tree/root" -name .cache -prune -exec rm -r {} +
    find "$tree/var/log" "$tree/tmp" "$tree/var/tmp" "$tree/run" -mindepth 1 -delete
    : >"$tree/etc/machine-id"
    find "$tree/opt/companion" -name direct_url.json | while read -r file; do # names a folder of this build
        sed -i '/direct_url.json/d' "$(dirname "$file")/RECORD"
        rm "$file"
    done
}

# --- The partitions ---------------------------------------------------------------------------------------

# The firmware's own, which any PC can write to.
make_boot() {
    mv "$tree/usr/lib/raspi-firmware" "$work/boot"
    cp -R "$here"/boot/. "$work/boot/"
    cp "$tree"/usr/lib/linux-image-*/broadcom/*.dtb "$work/boot/"
    mv "$tree"/boot/vmlinuz-* "$work/boot/vmlinuz"
    mv "$tree"/boot/initrd.img-* "$work/boot/initrd.img"
    sed -i 's/$/\r/' "$work/boot/companion.txt" # as the oldest editor wants it
    find "$work/boot" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    truncate -s ${boot_mb}M "$work/boot.img"
    mformat -i "$work/boot.img" -F -v TABLE -N $disk_id ::
    (cd "$work/boot" && mcopy -i "$work/boot.img" -s -m -Q ./* ::)
}

# Makes a file system of a folder by the card's own mke2fs, the same one wherever the card is made:
# make_ext4 FOLDER LABEL MB UUID OPTION...
make_ext4() {
    folder=$1
    label=$2
    size_mb=$3
    uuid=$4
    shift 4
    find "$folder" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    truncate -s "${size_mb}M" "$work/$label.img"
    # shellcheck disable=SC2016  # the inner shell has words of its own
    unshare --mount sh -eu -c '
        mount --bind "$1" "$3/mnt"
        mount --bind "$2" "$3/media"
        shift 2
        tree=$1
        shift
        exec chroot "$tree" mke2fs -q -t ext4 -d /mnt "$@"
    ' sh "$folder" "$work" "$tree" -L "$label" -U "$uuid" -m 0 -b 4096 -E "root_owner=0:0,hash_seed=$uuid" "$@" "/media/$label.img"
}

make_data() {
    mkdir -p "$work/data/opt/upper" "$work/data/opt/work"
    cp -a "$tree/var/lib/companion" "$work/data/companion"
    cp -a "$tree/var/lib/systemd" "$work/data/system"
    make_ext4 "$work/data" data $data_mb c0ffeeb0-0000-4000-8000-000000000003
}

make_root() {
    # Nothing is written to it: it has no journal, and little more room than it needs.
    # Told by what is in it: how large a folder is depends on the disk that this is made on.
    used_mb=$(find "$tree" -printf '%y %s\n' | awk '{ kib += 1; if ($1 == "f") kib += int(($2 + 4095) / 4096) * 4 }
        END { print int(kib / 1024) + 1 }')
    make_ext4 "$tree" root $((used_mb * 108 / 100 + 64)) c0ffeeb0-0000-4000-8000-000000000002 -O ^has_journal
}

assemble() {
    root_mb=$(($(stat -c %s "$work/root.img") >> 20))
    truncate -s "$((4 + boot_mb + root_mb + data_mb))M" "$work/card.img"
    sfdisk --quiet "$work/card.img" <<END
label: dos
label-id: 0x$disk_id
start=4MiB, size=${boot_mb}MiB, type=c, bootable
start=$((4 + boot_mb))MiB, size=${root_mb}MiB, type=83
start=$((4 + boot_mb + root_mb))MiB, size=${data_mb}MiB, type=83
END
    at_mb=4
    for part in boot root data; do
        dd if="$work/$part.img" of="$work/card.img" bs=1M seek=$at_mb conv=notrunc,sparse status=none
        at_mb=$((at_mb + $(stat -c %s "$work/$part.img") / 1048576))
    done
}

need <<END
mmdebstrap mmdebstrap
qemu-aarch64-static qemu-user-static
swig swig
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
mcopy mtools
sfdisk fdisk
xz xz-utils
git git
END
# The same bytes wherever and whenever it is made: FAT has local times, and tools sort by the language.
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
SOURCE_DATE_EPOCH=$(git -C "$checkout" log -1 --format=%ct)
name=table-companion-$(version_of)-arm64
mkdir -p "$out"
work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree=$work/tree
mkdir "$tree"
lay_system
fetch_wheels 3.13
fetch_lgpio
say "installing the table, about 5 minutes"
install_table
furnish
clean
say "making the partitions"
make_boot
make_data
make_root
sha256sum "$work/root.img" | sed "s|$work/|$name.|" >"$out/$name.root.sha256"
assemble
mv "$work/card.img" "$out/$name.img"
git -C "$checkout" rev-parse HEAD >"$out/$name.commit" # `make dist` asks for it
say "packing"
xz --threads=0 --keep --force "$out/$name.img"
say "$out/$name.img.xz, $(($(stat -c %s "$out/$name.img.xz") >> 20)) MB; its packages: $name.packages"
