#!/bin/sh
# Compares the binary interface of liblycosa with the one that is kept in lib/lycosa.abi: the functions and types that lycosa.h declares, as
# abigail reads them from the debug information. Functions and values of enums may be added; any other difference is an error, be it a
# field at the end of a struct, since a program has room for the struct that it was compiled with. KEEP=1 keeps the interface as it is now.
# usage: build-aux/abi.sh FOLDER                        (a build is made there)
#        build-aux/abi.sh FOLDER LIBRARY HEADER KEPT    (of another library than liblycosa)
set -eu
cd "$(dirname "$0")/.."
[ $# = 1 ] || [ $# = 4 ] || { sed -n 's/^#\( usage:\|     *\) /\1 /p' "$0" >&2; exit 2; }
for program in abidw abidiff; do
	command -v $program >/dev/null || { echo "no $program: apt-get install abigail-tools" >&2; exit 1; }
done
mkdir -p "$1"
library=${2:-} header=${3:-lib/lycosa.h} kept=${4:-lib/lycosa.abi}
if [ -z "$library" ]; then
	top=$PWD
	[ -x configure ] || autoreconf -fi >/dev/null 2>&1
	(cd "$1" && "$top/configure" -q CFLAGS="-g -O1" --without-python >configure.out 2>&1)
	library=liblycosa.so.$(sed -n 's/^PACKAGE_VERSION = //p' "$1/Makefile")
	make -s -C "$1" -j "$(nproc)" "$library" >"$1/make.out" 2>&1 || { tail -n 30 "$1/make.out" >&2; exit 1; }
	library=$1/$library
fi
# both sides are read from files of abidw: beside a header abidiff passes over fields that were added to its structs. abidw knows a header
# by the last part of its name alone.
now=$(cd "$1" && pwd)/now.abi
library=$(realpath "$library")
(cd "$(dirname "$header")" && abidw --header-file "$(basename "$header")" --drop-private-types --exported-interfaces-only --no-corpus-path \
	--no-comp-dir-path --no-show-locs --no-elf-needed --out-file "$now" "$library")
sed -i "s|path='$PWD/|path='|; s|path='\.\./|path='|" "$now"
if [ -n "${KEEP:-}" ]; then
	cp "$now" "$kept"
	echo "kept: $kept"
	exit 0
fi
abidiff --no-added-syms "$kept" "$now" ||
	{ echo "$(basename "$library") has another interface than $kept: a new soname, or a mistake" >&2; exit 1; }
echo "the interface of $(basename "$library") is that of $kept$(abidiff --harmless "$kept" "$now" >/dev/null || echo ", and more")"
