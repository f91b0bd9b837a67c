#!/bin/sh
# Builds the guest's Debian with a virtual environment: build_base.sh PYTHON WORK_FOLDER OUTPUT REQUIREMENT...
# Needs root. PYTHON is the host's, of the guest's version and with pip.
set -eu
python=$1
work=$2
output=$3
shift 3
root=$work/root
venv=$root/opt/venv
site=$venv/lib/python3.11/site-packages

debootstrap --variant=minbase --include=python3,busybox-static bookworm "$root"

# Laid out by hand: `python -m venv` would need more packages in the guest, and would write the host's paths.
mkdir -p "$site" "$venv/bin"
printf 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11\n' >"$venv/pyvenv.cfg"
ln -s /usr/bin/python3 "$venv/bin/python"
"$python" -m pip install --quiet --no-compile --root-user-action=ignore --target "$site" "$@"
if [ -d "$site/bin" ]; then
    sed -i '1s|^#!.*python.*|#!/opt/venv/bin/python|' "$site"/bin/*
    mv "$site"/bin/* "$venv/bin"
fi

# Under emulation the first import of a module that is not compiled costs tenths of a second.
"$python" -m compileall -q -j 0 --invalidation-mode unchecked-hash -s "$root" -p / \
    "$root/usr/lib/python3.11" "$root/usr/lib/python3" "$site"

mksquashfs "$root" "$output" -comp zstd -Xcompression-level 6 -no-xattrs -quiet -no-progress \
    -e var/cache/apt var/lib/apt/lists usr/share/doc usr/share/man usr/share/locale
