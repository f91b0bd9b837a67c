#!/bin/sh
# Builds the guest's kernel: build_kernel.sh SOURCE_TARBALL WORK_FOLDER OUTPUT
set -eu
images=$(cd "$(dirname "$0")" && pwd)
tarball=$1
work=$2
output=$3

mkdir "$work/source" "$work/build"
tar -C "$work/source" --strip-components=1 -xf "$tarball"
make="make -s -C $work/source O=$work/build"
$make KCONFIG_ALLCONFIG="$images/kernel.config" allnoconfig

# A wish that kconfig drops would show up much later, as a device that is not there.
if grep '^CONFIG_' "$images/kernel.config" | grep -vxFf "$work/build/.config" >"$work/dropped"; then
    echo "build_kernel.sh: kconfig did not keep these lines of kernel.config; add what they depend on:" >&2
    cat "$work/dropped" >&2
    exit 1
fi

$make -j"$(nproc)" bzImage
cp "$work/build/arch/x86/boot/bzImage" "$output"
