#!/bin/sh
# Builds the layer that lies over the base: build_code.sh PYTHON CHECKOUT BASE WORK_FOLDER OUTPUT
# PYTHON is the host's, of the guest's version and with pip.
set -eu
images=$(cd "$(dirname "$0")" && pwd)
python=$1
checkout=$2
base=$3
work=$4
output=$5
root=$work/root
venv=$root/opt/venv
site=$venv/lib/python3.11/site-packages

# It is also what the kernel mounts as its root: the first process, and the places where it mounts the rest.
mkdir -p "$root/rig/rw" "$root/rig/base" "$root/dev" "$root/io" "$root/share"
cp "$images/init" "$root/rig/init"
unsquashfs -cat "$base" usr/bin/busybox >"$root/rig/busybox"
chmod 755 "$root/rig/init" "$root/rig/busybox"

mkdir -p "$site" "$venv/bin"
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$work" "$checkout"
"$python" -m pip install --quiet --no-deps --no-compile --root-user-action=ignore --target "$site" "$work"/*.whl
sed -i '1s|^#!.*|#!/opt/venv/bin/python|' "$site"/bin/*
mv "$site"/bin/* "$venv/bin"
rmdir "$site/bin"
# Tests and benchmarks are imported from the shared checkout, which comes last: the companion is the wheel's.
echo /share >"$site/share.pth"
"$python" -m compileall -q --invalidation-mode unchecked-hash -s "$root" -p / "$site"

mksquashfs "$root" "$output" -comp zstd -all-root -no-xattrs -quiet -no-progress
