#!/bin/sh
# Compiles lgpio for the card, whose Python has neither a wheel nor a Debian package of it:
# build_lgpio.sh SDIST WORK TREE puts it into the root file system TREE, where the virtual environment sees it.
set -eu
sdist=$1
work=$2
tree=$3
debian=${COMPANION_DEBIAN:-http://deb.debian.org/debian}

rm -rf "$work"
mkdir -p "$work/source"
tar -C "$work/source" --strip-components=1 -xf "$sdist"
# Python's headers and those of the C library; nothing of them is run.
mmdebstrap --quiet --mode=root --architectures=arm64 --variant=extract --include=libpython3.13-dev \
    trixie "$work/headers" "deb $debian trixie main"
cd "$work/source"
swig -python lgpio.i
ext=_lgpio.cpython-313-aarch64-linux-gnu.so
# Times and folders of this build are not to be in it.
aarch64-linux-gnu-gcc -shared -fPIC -O2 -pthread -Wl,--build-id=none -ffile-prefix-map="$work"=. --sysroot="$work/headers" \
    -I src -I "$work/headers/usr/include/python3.13" \
    -o $ext src/lg*.c src/rgpiod.c lgpio_wrap.c -lrt -ldl
aarch64-linux-gnu-strip $ext
to=$tree/usr/lib/python3/dist-packages
version=$(sed -n 's/^Version: //p' PKG-INFO)
install -D -m 644 -t "$to" $ext lgpio.py lgpio_extra.py
install -D -m 644 PKG-INFO "$to/lgpio-$version.dist-info/METADATA"
