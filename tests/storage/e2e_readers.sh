#!/bin/sh
# Readers of a store that is being crawled: all commands that read a store do so while the crawl goes on, see its last commit, and do not
# disturb it.
. "$(dirname "$0")/../tap.sh"
plan 3

serve --endless 7,hosts=3000,rules=0,links=20 --faults slow=1:4ms
wait_for server.out popular $server
first=$(sed -n 's/.* is //p' server.out)
background "$lycosa" crawl "$first" --store live --proxy "http://127.0.0.1:$port" -H --delay 0 --parallel 2 --max-pages 1000000 --policy ieca -q >summary 2>crawl.err
crawl=$!
wait_until $crawl "$lycosa" store info --store live >info 2>&1

# reads NAME COMMAND...: the command reads the store without an error
reads() {
	name=$1
	shift
	"$lycosa" "$@" >"$name" 2>"$name.err" || { echo "$name: status $?"; cat "$name.err"; }
	[ -s "$name" ] || { echo "$name is empty"; cat "$name.err"; }
}
crawled() { "$lycosa" store info --store live | awk '$1 == "crawled" { print $2 }'; }
pages=50 # at first: so few may have no links yet
has_grown() { [ "$(crawled)" -gt "$pages" ]; }
lines=0
for round in 1 2 3; do
	wait_until $crawl has_grown || echo "it does not grow"
	reads dump store dump --store live
	pages=$(crawled) # no fewer than the dump has seen
	[ "$(wc -l <dump)" -gt "$lines" ] || echo "the dump had $lines lines, and then $(wc -l <dump)"
	lines=$(wc -l <dump)
	reads info store info --store live
	reads explained store explain --store live "$first"
	reads pages.csv export --store live --pages --to csv
	reads links.jsonl export --store live --links --to jsonl
	reads seeds seeds --store live --method random --count 5
	kill -0 $crawl || echo "the crawl has ended in round $round"
done >problem 2>&1
verdict "info, dump, explain, seeds and export read a store that is being crawled"

{
	kill -INT $crawl
	wait $crawl
	grep -q '^end	interrupted$' summary && grep -q '^lycosa: interrupted' crawl.err || cat summary crawl.err
	[ "$(wc -l <crawl.err)" = 1 ] || cat crawl.err
	"$lycosa" store verify --store live 2>&1 | grep -v 'is sound'
} >problem 2>&1
verdict "the crawl takes no notice of them"

{
	"$lycosa" store dump --store live >after
	[ "$(wc -l <after)" -ge "$lines" ] || echo "less after the crawl than during it"
	# what was seen stays: the lines of the pages crawled by then are among the last ones
	grep -v '	http' dump >before.pages || :
	grep -v '	http' after | LC_ALL=C sort | LC_ALL=C comm -23 before.pages - | head -n 3
} >problem 2>&1
verdict "what they saw is a part of what the crawl has found in the end"
