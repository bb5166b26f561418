#!/bin/sh
# A crawl goes on with the settings that it was asked for, wherever and however it is started again.
. "$(dirname "$0")/../tap.sh"
needs jq
plan 11

"$lycosa" graph generate --nodes 400 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
head -n 5 web.urls >seeds.txt
serve --graph web.txt --log requests

# crawl ARGUMENTS
crawl() {
	"$lycosa" crawl "$@" >summary 2>errors
	status=$?
}
figure() { awk -v name="$1" '$1 == name { print $2 }' summary; }
asked() { wc -l <requests; }
# responses and revisits in an archive
archived() {
	for f in "$1"-*.warc.gz; do gzip -dc "$f"; done | tr -d '\r' | grep -ac '^WARC-Type: \(response\|revisit\)$'
}
# kept NAME VALUE [STORE]: what the store keeps
kept() {
	"$lycosa" crawl --store "${3:-all}" --print-config >config 2>>problem
	grep -A1 '^# kept in ' config | grep -qx "#$1 = $2" && return 0
	echo "$1 is not $2: $(grep "^#*$1 " config)"
}

crawl --seeds seeds.txt --store all -H --connect-to "::127.0.0.1:$port" --delay 0 --policy ieca --total 400 \
	--max-pages 60 --parallel 8 --parallel-per-host 8 --contact me@example.org --user-agent spider/7 \
	--header 'X-Who: me' --warc pages --log log.jsonl --max-time 1h30m --max-filesize 1M --tries 2 -q
[ $status = 0 ] && [ "$(figure crawled)" = 60 ]
result $? "a crawl with settings of every kind"

mkdir elsewhere
cd elsewhere
crawl --store ../all --max-pages 200 -q
cp errors asked.again
crawl --store ../all --connect-to "::127.0.0.1:$port" --header 'X-Who: me' --max-pages 100 -q
cp errors told
crawl --store ../all --connect-to "::127.0.0.1:$port" --header 'X-Who: me' --warc ../pages --log ../log.jsonl --max-pages 200 -q
cd ..
{
	[ $status = 0 ] && [ "$(wc -l <elsewhere/summary)" -gt 5 ] || cat elsewhere/errors
	grep -q "goes by --connect-to '::127.0.0.1:$port', which is only used when this command names it.*--no-connect-to" elsewhere/asked.again || cat elsewhere/asked.again
	grep -q "left out, since only the store '../all' asks for them.*: --warc $PWD/pages, --log $PWD/log.jsonl; they hold" elsewhere/told || cat elsewhere/told
	[ "$(awk '$1 == "crawled" { print $2 }' elsewhere/summary)" = 200 ] || cat elsewhere/summary
	n=$(jq -r 'select(.event == "crawled") | .url' log.jsonl | sort -u | wc -l)
	[ "$n" = 160 ] || echo "the log has $n pages"
	n=$(archived pages)
	[ "$n" -ge 160 ] || echo "the archive has $n pages"
	gzip -dc pages-*.warc.gz | grep -ac '^User-Agent: spider/7 (+me@example.org)' >agents
	[ "$(cat agents)" -ge 160 ] || echo "$(cat agents) requests by that name"
	[ "$(gzip -dc pages-*.warc.gz | grep -ac '^X-Who: me')" -ge 160 ] || echo "the header was left out"
	ls elsewhere | grep -v -e summary -e errors -e told -e asked
} >problem 2>&1
verdict "and goes on with them from another folder; what writes or sends is named anew, or left out with a line"

{
	kept delay 0s
	kept max-pages 60
	kept user-agent spider/7
	kept contact me@example.org
	kept max-time 5400s
	kept max-filesize 1M
	kept tries 2
	kept span-hosts yes
	kept warc "$PWD/pages"
	kept header 'X-Who: me'
	grep -A1 '^# default$' config | grep -q '^#timeout = 60s$' || echo "no default"
} >problem 2>&1
verdict "--print-config tells what the store keeps"

{
	anchors() {
		"$lycosa" crawl --score-cmd cat http://a.test/ "$@" --print-config | grep keep-anchors
	}
	test "$(anchors)" = "#keep-anchors = yes" || echo "not by default"
	test "$(anchors --policy aim)" = "#keep-anchors = yes" || echo "not with aim"
	test "$(anchors --policy bfs)" = "#keep-anchors = no" || echo "with bfs"
	test "$(anchors --no-keep-anchors)" = "keep-anchors = no" || echo "although it was refused"
} >problem 2>&1
verdict "and that a crawl keeps anchor texts for the policy that goes by them"

crawl --store all --connect-to "::127.0.0.1:$port" --max-pages 210 --delay 1ms
{
	grep -q 'for this sitting: --max-pages 210 (kept: 60), --delay 1ms (kept: 0s)' errors || cat errors
	kept delay 0s
	crawl --store all --connect-to "::127.0.0.1:$port" --max-pages 220 --delay 1ms --keep -q
	kept delay 1ms
	kept max-pages 220
} >problem 2>&1
verdict "what is given again holds for a sitting, with --keep for good"

before=$(asked)
crawl --store all --connect-to "::127.0.0.1:$port"
{
	[ $status = 0 ] && grep -q 'keeps --max-pages 220, and 220 pages are crawled; --max-pages N or --no-max-pages' errors ||
		cat errors
	[ "$(asked)" = "$before" ] || echo "something was asked for"
} >problem
verdict "a limit that is reached already is told, and the way out"

crawl --store all --connect-to "::127.0.0.1:$port" --max-pages 230 --no-log --no-warc -q
{
	[ $status = 0 ] && [ "$(figure crawled)" = 230 ] || cat errors
	[ "$(jq -r 'select(.event == "crawled") | .url' log.jsonl | sort -u | wc -l)" = 160 ] || echo "it was logged"
	kept log "$PWD/log.jsonl"
} >problem
verdict "--no-log and --no-warc go on without, for a sitting"

crawl --store all --connect-to "::127.0.0.1:$port" --max-pages 400 --no-max-per-host -q --log -
{
	[ $status = 0 ] && [ ! -e ./- ] && jq -es 'length > 0' summary >/dev/null || cat errors
	kept log "$PWD/log.jsonl"
} >problem
verdict "stdout is no log that a store keeps"

# secrets: neither in the store nor forgotten
printf 'http://node.test basic me:pass-word\n' >passwords
crawl --seeds seeds.txt --store secret -H --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 10 -q \
	--auth passwords --header 'Authorization: Bearer tok-en' --header 'X-Plain: 1'
{
	[ $status = 0 ] || cat errors
	grep -ac -e pass-word -e tok-en secret/* | grep -v ':0$'
	before=$(asked)
	crawl --store secret --connect-to "::127.0.0.1:$port" --max-pages 20 -q
	[ $status = 2 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "was given --header, and a store keeps no secret: give it again, or go on without by --no-header" errors || cat errors
	crawl --store secret --connect-to "::127.0.0.1:$port" --max-pages 20 -q --header 'Authorization: Bearer tok-en'
	[ $status = 2 ] && grep -q "was given --auth, and a store keeps no secret" errors || cat errors
	[ "$(asked)" = "$before" ] || echo "something was asked for"
	"$lycosa" crawl --store secret --print-config | grep -A1 "kept in 'secret'" | grep -q '^#auth = (a secret' || echo "not told"
} >problem
verdict "a secret is in no store, and asked for again"
crawl --store secret --connect-to "::127.0.0.1:$port" --max-pages 20 -q --header 'Authorization: Bearer tok-en' --no-auth
{
	[ $status = 0 ] && [ "$(figure crawled)" = 20 ] || cat errors
	grep -ac -e pass-word -e tok-en secret/* | grep -v ':0$'
} >problem
verdict "given again, or taken back, it goes on"

# without a word the policy is the default, and said to be
crawl --seeds seeds.txt --store default -H --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 5
[ "$(grep -c 'the defaults: its policy is scout (--policy' errors)" = 1 ] && "$lycosa" crawl --help=all | grep -q 'decides the next page (scout)' &&
	"$lycosa" crawl --help | grep -q '^Policy (scout by default)'
result $? "the default policy is told"
