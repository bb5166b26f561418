#!/bin/sh
# Builds lycosa without each of its parts that can be left out, and without all of them: agents (libnats), packing by zstd, the Python module,
# the library. Each build is tested, the last by the whole of `make check`, the others by the unit tests and by the scripts that know the
# part; none may need what it was built without. A line tells what became of each, and what the program takes.
# usage: build-aux/check-without.sh FOLDER [PART ...]   (nats, zstd, python, library, all; a build folder and a log of each stay behind)
# CONFIGURE="CC=..." are further arguments of configure.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
here=$(pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- nats zstd python library all
autoreconf -fi

# flags PART: how configure is told to leave it out
flags() {
	case $1 in
	nats | zstd | python) echo "--without-$1" ;;
	library) echo --disable-library ;;
	all) echo "--without-nats --without-zstd --without-python --disable-library" ;;
	*) echo "no part '$1': nats, zstd, python, library, all" >&2; return 2 ;;
	esac
}

# rooms PART: whose scripts know it
rooms() {
	case $1 in
	nats) echo 'agents\|cli' ;;
	zstd) echo archive ;;
	python | library) echo lib ;;
	esac
}

# build_and_test PART: in the folder of its name
build_and_test() {
	mkdir -p "$folder/$1" && cd "$folder/$1" || return
	eval "\"$here/configure\" -q $(flags "$1") ${CONFIGURE:-}" && make -s -j "$(nproc)" || return
	left_out=$([ "$1" = all ] && echo 'nats\|zstd' || echo "$1")
	! objdump -p lycosa | grep "NEEDED.* lib\($left_out\)\." || return
	case $1 in library | all) [ ! -e liblycosa.so ] || return ;; esac
	if [ "$1" = all ]; then
		make -s -j "$(nproc)" check TESTS= && make -s -j "$(($(nproc) * 4))" check
	else
		make -s -j "$(nproc)" check TESTS= && make -s -j "$(($(nproc) * 2))" check-unit \
			MORE="$(grep -o "tests/\($(rooms "$1")\)/[a-z0-9_]*\.sh" "$here/tests/sources.mk" | sort -u | paste -sd ' ')"
	fi
}

failed=
for part in "$@"; do
	flags "$part" >/dev/null || exit
	status=0
	(build_and_test "$part") >"$folder/$part.log" 2>&1 || status=$?
	printf 'without %s:%s, %s KB: status %s\n' "$part" \
		"$(awk '/^# (PASS|SKIP|FAIL|ERROR):/ { n[$2] += $3 } END { for (what in n) printf " %s %d", tolower(what), n[what] }' "$folder/$part.log")" \
		"$(size "$folder/$part/lycosa" 2>/dev/null | awk 'NR == 2 { print int(($1 + $2) / 1024) }')" $status
	[ $status = 0 ] || failed=yes
done
[ -z "$failed" ]
