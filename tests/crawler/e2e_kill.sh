#!/bin/sh
# SIGKILL in the middle of a live crawl, then the same command again, and again: in the end the same
# pages are there as after an undisturbed crawl, `verify` is content, and little is fetched twice.
. "$(dirname "$0")/../tap.sh"
needs jq
plan 9

"$lycosa" graph generate --nodes 1500 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 20 web.urls >seeds.txt
serve --graph web.txt --faults "404=0.02,503=0.02:0s"

# crawl STORE [COMMAND...]: the crawl, by way of the command
crawl() {
	name=$1
	shift
	"$@" "$lycosa" crawl --seeds seeds.txt --store "$name" -H --connect-to "::127.0.0.1:$port" \
		--delay 0 --parallel 8 --per-host 8 --policy ieca --total 1500 -q --log "$name.log" >"$name.out" 2>"$name.err"
}

crawl whole && [ "$(awk '$1 == "crawled" { print $2 }' whole.out)" -gt 1000 ]
result $? "an undisturbed crawl ends, with most of the web"
"$lycosa" store dump --store whole >whole.dump

# each sitting is killed in the middle of another part of its work
kills=0
for n in 45 160 230 350 170 290; do
	crawl broken killed_at $n && kills=$((kills + 1))
	"$lycosa" store verify --store broken >verify.out 2>&1 || cp verify.out problem
done
crawl broken
status=$?
[ $kills = 6 ]
result $? "the crawl was killed in the middle ($kills times)"
[ ! -s problem ]
result $? "verify was content after each kill"
[ $status = 0 ]
result $? "the last run ends"
"$lycosa" store verify --store broken >problem 2>&1
result $? "verify is content at the end"
"$lycosa" store dump --store broken >broken.dump
diff whole.dump broken.dump >problem
result $? "the pages and links are those of the undisturbed crawl"
awk -F '\t' 'NF == 3 && $2 == 200 { print $1 }' broken.dump >stored
jq -r 'select(.event == "crawled").url' broken.log 2>problem | LC_ALL=C sort -u | LC_ALL=C comm -13 - stored >>problem
verdict "no page of the store is missing in the log"

# interrupted politely: 17, and it goes on
crawl polite stopped_at 400
kill -TERM $pid && kill -CONT $pid
wait $pid
[ $? = 17 ] && grep -q 'the same command goes on' polite.err
result $? "SIGTERM ends the crawl with status 17"
crawl polite && "$lycosa" store dump --store polite | diff whole.dump - >problem
result $? "and the same command brings it to its end"
