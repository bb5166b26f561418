#!/bin/sh
# A sample of what tests/faults/ tries: one command after the other on a machine whose calls fail. The
# whole is `make check-faults`.
. "$(dirname "$0")/../tap.sh"
faults=$top/tests/faults
. "$faults/scene.sh"
[ -e "$build/tests/faults/shim.so" ] || skip_all "no library that makes calls fail: it needs glibc"
! grep -q -e '__[at]san_init' "$lycosa" || skip_all "a sanitizer stands in the same place"

# tried FAULT N...: commands under a fault, all that are for it
tried() {
	fault=$1
	shift
	for n in "$@"; do
		for command in $commands; do
			echo "$work $command ${fault%:*} ${fault#*:} $n"
		done
	done | xargs -P 4 -L 1 sh "$faults/case.sh" >tried 2>problem
	awk -F '\t' '$7 != "ok" { print }' tried >>problem
	cut -f 6 tried | grep -q hit || echo "no call ever failed" >>problem
	verdict "$fault, calls $*: $(wc -l <tried) runs"
}

make_web || exit 1
serve --graph web.txt
make_scene "$work" "$port" || exit 1
plan 10

commands="crawl verify compare"
tried malloc:12 1 40 150
commands="crawl verify compare"
tried mmap:12 2 3
commands="archive dump replay"
tried open:24 6
commands="archive"
tried write:28 4 9
tried write:0 1
tried sync:5 2
commands="crawl resume"
tried thread:11 1
tried socket:24 4
tried send:104 5
tried send:32 3
