#!/bin/sh
# Compares the binary interface of liblycosa with the one that is kept in lib/lycosa.abi: functions and types of lycosa.h, as abigail reads
# them from the debug information. What would break a program that was linked before is an error. KEEP=1 keeps the interface as it is now.
# usage: build-aux/abi.sh FOLDER     (a build is made there)
set -eu
cd "$(dirname "$0")/.."
[ $# = 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
for program in abidw abidiff; do
	command -v $program >/dev/null || { echo "no $program: apt-get install abigail-tools" >&2; exit 1; }
done
top=$PWD
[ -x configure ] || autoreconf -fi >/dev/null 2>&1
mkdir -p "$1"
cd "$1"
"$top/configure" -q CFLAGS="-g -O1" --without-python >configure.out 2>&1
make -s -j "$(nproc)" liblycosa.so.0 >make.out 2>&1 || make -s -j "$(nproc)" all >make.out 2>&1
library=$(echo liblycosa.so.*.*)
if [ -n "${KEEP:-}" ]; then
	abidw --headers-dir "$top/lib" --drop-private-types --exported-interfaces-only --no-corpus-path --no-comp-dir-path --no-show-locs \
		--no-elf-needed "$library" | sed "s|path='$top/|path='|" >"$top/lib/lycosa.abi"
	echo "kept: lib/lycosa.abi"
	exit 0
fi
status=0
abidiff --headers-dir2 "$top/lib" --drop-private-types "$top/lib/lycosa.abi" "$library" || status=$?
# bits of abidiff's status: 1 error, 2 usage, 4 a change, 8 a change that breaks programs
[ $((status & 11)) = 0 ] || { echo "liblycosa has another interface than lib/lycosa.abi: a new soname, or a mistake" >&2; exit 1; }
echo "the interface of liblycosa is that of lib/lycosa.abi$([ $status = 0 ] || echo ", and more")"
