#!/bin/sh
# Builds a table's disk: a Debian with the companion, by its own installer or by a package, and the tests' programs.
# build_disk.sh CHECKOUT SYSTEM WORK_FOLDER OUTPUT [DEB]
# Needs root.
set -eu
checkout=$1
system=$2
work=$3
output=$4
deb=${5:-}
inside=$checkout/tests/appliance/inside
root=$work/tree/root

unsquashfs -quiet -no-progress -d "$work/tree" "$system"

# In a clean environment, as on a separate machine.
if [ -n "$deb" ]; then
    cp "$deb" "$root/table.deb"
    env -i PATH="$PATH" chroot "$root" dpkg --install /table.deb
    rm "$root/table.deb"
else
    env -i PATH="$PATH" "$checkout/systemd/install.sh" --root "$root" --wheelhouse "$work/tree/wheels" --no-apt
fi

install -D -m 644 -t "$root/etc/systemd/system" "$inside"/*.service
install -D -m 644 -t "$root/opt/table" "$inside"/*.py "$inside/lines.sh"
cp "$inside/table.toml" "$root/var/lib/companion/table.toml" # keeps its owner
chroot "$root" systemctl --quiet enable table-shell.service table-lines.service table-pads.service
chroot "$root" systemctl --quiet set-default multi-user.target
# Jobs that Debian would start in the middle of a test.
chroot "$root" systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
    e2scrub_all.timer e2scrub_reap.service fstrim.timer

mke2fs -q -t ext4 -L root -m 1 -E root_owner=0:0 -d "$root" "$output" 1280M
