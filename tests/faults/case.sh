#!/bin/sh
# One command under one fault: case.sh SCENE COMMAND CALL ERRNO N
#
# SCENE is the folder that scene.sh has made. The N-th, 2N-th ... CALL of the command fails with ERRNO
# (tests/faults/shim.c). A line comes out, five fields and two more:
#
#     COMMAND CALL ERRNO N STATUS MARK VERDICT
#
# MARK is `hit` where a call failed, `missed` where the command ended before. VERDICT is `ok`, or what does
# not hold of these:
#   1. the command ends in time, by itself, with a status of the manual that fits a failing machine;
#   2. another status than 0 comes with one line that says why;
#   3. status 0 means the result without faults, byte by byte, and another status no result by halves; a
#      crawl has all pages, or says how many have failed, or that its time was up;
#   4. the store afterwards is sound, and the same crawl without faults goes on to the same pages.
#
# CALL `none` leaves what the command does without faults in SCENE/expected/COMMAND. KEEP names a folder that
# gets the files of a case whose verdict is not ok.
set -u
scene=$1 command=$2 call=$3 number=$4 n=$5
if [ "$call" = none ]; then
	work=$scene/expected/$command
	mkdir -p "$work"
else
	work=$(mktemp -d "$scene/cases/XXXXXX") || exit 99
	trap 'rm -rf "$work"' EXIT
fi
cd "$work" || exit 99
. ../../settings

# faulty ARGUMENT...: lycosa, under the fault
faulty() {
	if [ "$call" = none ]; then
		"$lycosa" "$@" >out
		exit
	fi
	timeout -s KILL 60 env FAULT="$call:$number:$n" FAULT_MARK=mark LD_PRELOAD="$shim" "$lycosa" "$@" >out 2>err
	status=$?
}

bad() {
	problem="${problem:+$problem; }$*"
}

problem=
case $command in
crawl) faulty crawl --store store $crawl_flags ;;
archive) faulty crawl --store store $crawl_flags --warc archive --log log --order order ;;
resume)
	cp -r ../../half store
	faulty crawl --store store $crawl_flags
	;;
info) faulty store info --store ../../whole ;;
dump) faulty store dump --store ../../whole ;;
verify) faulty store verify --store ../../whole ;;
replay) faulty replay --graph ../../web.txt --seeds ../../ids.txt --policy ieca --order order ;;
replay-store) faulty replay --graph ../../whole --seeds random:2 --policy opic --order order ;;
compare) faulty compare --graph ../../web.txt --seeds random:3 --policies bfs,ieca --draws 2 --out folder ;;
seeds) faulty seeds --graph ../../web.txt --method hits --count 5 --cores cores ;;
convert) faulty graph convert --graph ../../web.txt --to bvgraph new ;;
rank) faulty rank --graph ../../web.txt --all --by hits ;;
*) echo "case.sh: no command '$command'" >&2; exit 99 ;;
esac

# --- 1
case $status in
0 | 1 | 3 | 20) ;;
4 | 17)
	case $command in crawl | archive | resume) ;; *) bad "status $status" ;; esac
	;;
18) bad "a fault is taken for damage" ;;
137) bad "it hangs" ;;
*) bad "status $status" ;;
esac
# --- 2
said=$(grep -c . err)
if [ $status != 0 ] && [ $status != 137 ]; then
	[ "$said" = 1 ] && grep -q '^lycosa: ' err || bad "$said lines on stderr"
fi

# same FILE: it is what it is without faults, or, where the command failed, not there
same() {
	if [ $status = 0 ]; then
		cmp -s "$1" "../../expected/$command/$1" || bad "$1 is another"
	elif [ -e "$1" ]; then
		cmp -s "$1" "../../expected/$command/$1" || bad "half of $1"
	fi
}

# --- 3
case $command in
crawl | archive | resume) ;;
*)
	[ $status != 0 ] || same out
	for file in $(cd "../../expected/$command" && find . -type f ! -name out ! -name '*.html'); do
		same "$file"
	done
	;;
esac

# --- 4
crawl_again() {
	timeout -s KILL 60 "$lycosa" crawl --store store $crawl_flags "$@" >again.out 2>again.err
	again=$?
	# seeds that have failed for good stay so until they are asked to be tried again
	[ $again = 0 ] || [ $again.$status = 4.4 ] ||
		bad "the crawl does not go on: status $again, $(tail -n 1 again.err)"
}

case $command in
crawl | archive | resume)
	"$lycosa" store dump --store store >dump 2>/dev/null
	if [ $status = 0 ] && ! cmp -s dump ../../pages; then
		# what a crawl says that it has failed to fetch is not lost in silence
		grep -q '^end	done' out && [ "$(awk '$1 == "failed" { print $2 }' out)" = 0 ] && bad "status 0, and pages are missing"
	fi
	"$lycosa" store verify --store store >verified 2>&1 || grep -q 'no store in' verified ||
		bad "the store: $(tail -n 1 verified)"
	[ $command = archive ] && crawl_again --warc archive || crawl_again
	[ -z "$retry_failed" ] || crawl_again "$retry_failed"
	"$lycosa" store dump --store store >dump 2>/dev/null
	if ! cmp -s dump ../../pages; then
		failed=$(cat out again.out | awk '$1 == "failed" { n = $2 } END { print n + 0 }')
		[ -z "$retry_failed" ] && [ "$failed" -gt 0 ] || bad "pages are missing at the end"
	fi
	;;
esac

[ -s mark ] && mark=hit || mark=missed
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$command" "$call" "$number" "$n" "$status" $mark "${problem:-ok}"
if [ -n "$problem" ] && [ -n "${KEEP:-}" ]; then
	mkdir -p "$KEEP"
	cp -r . "$KEEP/$command-$call-$number-$n"
fi
