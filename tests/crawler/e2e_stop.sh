#!/bin/sh
# How a crawl is stopped, by hand and by a disk that is full, and how it goes on.
. "$(dirname "$0")/../tap.sh"
plan 11

"$lycosa" graph generate --nodes 400 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 20 web.urls >seeds.txt
serve --graph web.txt --log requests.log

# crawl STORE ARGUMENTS
crawl() {
	name=$1
	shift
	"$lycosa" crawl --seeds seeds.txt --store "$name" -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--policy ieca --total 400 -q "$@"
}

crawl whole --parallel 8 --per-host 8 >/dev/null 2>problem && "$lycosa" store dump --store whole >whole.dump
result $? "an undisturbed crawl"

# stopped NAME SIGNAL [SIGNAL]: a crawl into that store gets the signal in the middle, and the second one again and again while the server
# holds its answers back, until the crawl ends; $status
stopped() {
	name=$1 first=$2 second=${3:-}
	# a shell leaves SIGINT ignored in what it starts in the background; a crawl takes it all the same
	stopped_at 60 "$lycosa" crawl --seeds seeds.txt --store "$name" -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--policy ieca --total 400 --warc "$name" --timeout 1h --first-byte-timeout 1h --read-timeout 1h \
		>"$name.out" 2>"$name.err"
	[ -z "$second" ] || kill -STOP "$server"
	kill -"$first" $pid
	kill -CONT $pid
	[ -z "$second" ] || wait_until $pid in_vain kill -"$second" $pid
	wait $pid
	status=$?
	kill -CONT "$server"
}

# goes_on NAME: the store is sound, and the same command brings the crawl to the same end
goes_on() {
	"$lycosa" store verify --store "$1" >verified 2>&1 || cat verified
	crawl "$@" --parallel 8 --per-host 8 >/dev/null 2>"$1.err" || cat "$1.err"
	"$lycosa" store dump --store "$1" | diff whole.dump - | head
}

for signals in INT TERM HUP "INT INT" "TERM INT"; do
	store=$(echo "$signals" | tr ' ' -)
	# shellcheck disable=SC2086 # words
	stopped "$store" $signals
	{
		[ $status = 17 ] || echo "status $status"
		[ "$(grep -v 'goes by the defaults' "$store.err" | grep -vc '^lycosa: stopping: ')" = 1 ] && grep -q 'the same command goes on' "$store.err" || cat "$store.err"
		[ "$(awk '$1 == "crawled" { print $2 }' "$store.out" 2>/dev/null)" != 400 ] || echo "it was over"
		goes_on "$store"
	} >problem
	verdict "$signals: status 17 in a line, and the same command goes on"
done

# the server answers nothing: the crawl has one page in flight, that waits for robots.txt
if command -v python3 >/dev/null; then
	background python3 -c 'import os, socket, time
s = socket.create_server(("127.0.0.1", 0))
open("port.new", "w").write(str(s.getsockname()[1]))
os.rename("port.new", "port")
c = s.accept()
open("asked", "w").close()
time.sleep(600)'
	silent=$!
	servers="$servers $silent"
	wait_until $silent test -s port
	background "$lycosa" crawl "http://127.0.0.1:$(cat port)/" --store silent >silent.out 2>silent.err
	pid=$!
	wait_until $pid test -e asked
	kill -INT $pid
	wait_for silent.err 'stopping: pages in flight that are awaited: 1; a second Ctrl-C (or SIGTERM) ends at once' $pid
	kill -INT $pid
	wait $pid
	status=$?
	[ $status = 17 ] && grep -q awaited silent.err || { echo "status $status"; cat silent.err; } >problem
	verdict "the first Ctrl-C says what is awaited, and the second one ends at once"
else
	skip "the first Ctrl-C says what is awaited, and the second one ends at once" "no python3"
fi

# full LIMIT ARGUMENTS: a crawl that may write files of LIMIT blocks of 512 bytes
full() {
	limit=$1
	shift
	(
		trap '' XFSZ
		[ -z "${BASH_VERSION:-}" ] || set -o posix # blocks of 512 bytes there, too
		ulimit -f "$limit"
		crawl "$@" --no-sandbox >full.out 2>full.err # the memory of a jail counts as a file
	)
	status=$?
}

# told FILE: status 3, in one line that names it
told() {
	[ $status = 3 ] || echo "status $status"
	[ "$(wc -l <full.err)" = 1 ] && grep -q "$1" full.err || cat full.err
}

head -c 16770000 /dev/zero | tr '\0' '\n' >full.log
full 32768 log --log full.log --parallel 8 --per-host 8
{
	told "cannot write 'full.log': File too large"
	[ "$(tail -c 1 full.log | od -An -c | tr -d ' ')" = '\n' ] || echo "a line is cut"
	goes_on log --no-log
} >problem
verdict "a log that cannot be written: status 3 in a line, and the store goes on"
full 100 disk --parallel 8 --per-host 8
{
	told disk
	goes_on disk
} >problem
verdict "a store that cannot be written: status 3 in a line, and it goes on"

# a reader of the log that has gone to sleep: what it was not told is lost, the crawl is not; the pipe is full after some lines
mkfifo sleeper
exec 8<>sleeper
head -c 57344 /dev/zero >&8
: >requests.log
background "$lycosa" crawl --seeds seeds.txt --store asleep -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 8 --per-host 8 \
	--policy ieca --total 400 --log sleeper >/dev/null 2>asleep.err 8>&-
pid=$!
wait_for requests.log ok $pid
wait_until $pid in_vain kill -INT $pid
wait $pid
status=$? # 0 where nothing but the log was left to do
exec 8>&-
{
	[ $status = 17 ] || [ $status = 0 ] || { echo "status $status"; cat asleep.err; }
	"$lycosa" store verify --store asleep 2>&1 | grep -v 'is sound$'
} >>problem
verdict "a log whose reader sleeps does not keep a crawl from being stopped"

# coming back takes as long as the policy does: this one is interrupted at the 50th of 200 pages
cc=${TEST_CC:-cc}
if command -v "${cc%% *}" >/dev/null; then
	cat >busy.c <<'EOF'
#include "frontier/policy.h"
#include <signal.h>
#include <stdlib.h>

static void busy_crawled(const struct policy_call *c, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n)
{
	static int pages;

	(void)c, (void)u, (void)outdegree, (void)queued, (void)n;
	if (getenv("INTERRUPTED") && ++pages == 50)
		raise(SIGINT);
}

static const struct policy busy = {.name = "busy", .summary = "is interrupted", .source = "a test",
	.order = POLICY_LOWEST_FIRST, .crawled = busy_crawled};
const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &busy};
EOF
	come_back() {
		"$lycosa" crawl --seeds seeds.txt --store back -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 8 \
			--per-host 8 --policy ./busy.so --total 400 --progress none "$@"
	}
	{
		$cc -std=gnu11 -shared -fPIC "-I$top" -o busy.so busy.c 2>&1
		come_back -q --max-pages 200 >/dev/null 2>&1 || echo "no crawl to come back to"
		"$lycosa" store dump --store back >back.dump
		rm -f back/frontier # without its snapshot the policy hears of all pages again
		INTERRUPTED=1 "$lycosa" crawl --store back --policy ./busy.so --max-pages 300 -H --connect-to "::127.0.0.1:$port" --delay 0 --progress none \
			>back.out 2>back.err
		status=$?
		[ $status = 17 ] || echo "status $status"
		[ "$(wc -l <back.err)" = 1 ] && grep -q 'while coming back.*the same command goes on' back.err || cat back.err
		"$lycosa" store dump --store back | cmp - back.dump
		come_back -q --max-pages 201 2>&1 | grep -qx 'crawled	201' || echo "it does not go on"
	} >problem
	verdict "INT while a crawl comes back: status 17 in a line, and nothing has changed"
else
	skip "INT while a crawl comes back" "no compiler"
fi
