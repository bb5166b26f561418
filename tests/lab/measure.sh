#!/bin/sh
# Orders of crawlers: measured as the crawls of policies are, whoever made them.
. "$(dirname "$0")/../tap.sh"
plan 9

measure() { wanted=$1; shift; status "$wanted" "$lycosa" measure "$@"; }
rows() { grep -v '^#' "$1" | cut -f 2-; }

"$lycosa" graph generate --nodes 300 --arcs-per-node 5 --rng-seed 3 --write-urls web.urls --to edges web.txt 2>problem
for policy in bfs ieca; do
	"$lycosa" replay --graph web.txt --seeds random:4 --policy $policy --order $policy.ids >$policy.rows
	# the same pages by their URLs, which are written in other ways than the graph has them
	while read -r id; do
		sed -n "$((id + 1))s|^http://|HTTP://me:secret@|p" web.urls
	done <$policy.ids >$policy.list
	rows $policy.rows >wanted
	for order in $policy.ids $policy.list; do
		"$lycosa" measure --graph web.txt --order $order >measured && rows measured | cmp - wanted
	done
done >problem 2>&1
verdict "the order of a replay, by ids and by URLs, has the figures of the replay"

# a graph without URLs is served under any host
sed 's|^|http://127.0.0.1:8000/|' bfs.ids >served.list && cp web.txt bare.txt &&
	"$lycosa" measure --graph bare.txt --order served.list >measured && rows bfs.rows >wanted && rows measured | cmp - wanted >problem 2>&1
result $? "so has an order of the URLs under which serve serves a graph without URLs"

for seed in 1 2 3 4 5 6 7; do
	for policy in bfs ieca; do
		"$lycosa" replay --graph web.txt --seeds random:4 --rng-seed $seed --policy $policy --order $policy.$seed >replayed
		set -- "$@" --order "mine-$policy=$policy.$seed"
	done
done
measure 0 --graph web.txt "$@" --policies bfs --out out && cp results printed && cp errors talk &&
	"$lycosa" compare --graph web.txt --seeds random:4 --draws 7 --policies bfs,ieca --out compared >/dev/null 2>&1
for policy in bfs ieca; do
	awk -F '\t' -v p=$policy '$1 == p { $1 = ""; print }' compared/summary.tsv | grep -v _ >one
	awk -F '\t' -v p=mine-$policy '$1 == p { $1 = ""; print }' out/summary.tsv | grep -v _ >two
	[ -s one ] && cmp one two
done >problem 2>&1
[ "$(grep -c '^bfs' out/rows.tsv)" = 42 ] || cat out/rows.tsv >>problem
grep -q 'mine-ieca .*mine-bfs' talk || cat talk >>problem
verdict "orders of one name are draws: their means and intervals are those of compare, and their differences are judged"

grep -c 'mine-ieca' out/report.html >/dev/null && "$lycosa" study out/manifest.json --out again >/dev/null 2>problem &&
	diff -r out again >problem 2>&1
result $? "the manifest makes the same folder again"

# what is in a log beside pages of the graph
one=$(sed -n 1p web.urls) two=$(sed -n 2p web.urls) three=$(sed -n 3p web.urls)
stamp='--2026-11-27 14:02:39--  '
{
	for page in "$one 200 OK" "${one%/*}/robots.txt 404 No" "http://else.test/x 200 OK" "$two 301 Moved" "http://else.test/r 302 Found" \
		"$one 200 OK" "$three 500 Error" "http://else.test/x 200 OK"; do
		printf '%s%s\nHTTP request sent, awaiting response... %s\n' "$stamp" "${page%% *}" "${page#* }"
	done
} >wget.log
measure 0 --graph web.txt --order wget.log &&
	printf '#orders\twget.log\t1\twget.log\twget\t8\t2\t2\t1\t2\t2\t2\t1\n' >wanted && grep '^#orders.wget' results | cmp - wanted &&
	grep -q '^#unknown.wget.log.1.http://else.test/x$' results && grep -q "not in 'web.txt'; the first is 'http://else.test/x'" errors
result $? "pages outside the graph are counted and named, repeated ones count once, failures are no pages"

gzip -c bfs.ids >bfs.ids.gz && "$lycosa" measure --graph web.txt --order - <bfs.ids >one && sed 's/stdin/X/; s/\t-\t/\tFILE\t/' one >a &&
	"$lycosa" measure --graph web.txt --order X=bfs.ids.gz | sed 's/bfs.ids.gz/FILE/' >b && tail -n 8 a >c && tail -n 8 b | cmp - c >problem 2>&1
result $? "an order may be compressed, or come from stdin"

measure 0 --graph web.txt --order bfs.ids --seeds random:4 --json && if command -v jq >/dev/null; then
	jq -e '.orders[0].pages > 100 and .rows[0].policy == "bfs.ids" and .seeds == "random:4"' results >problem 2>&1
fi
result $? "--seeds says what the crawl began with, and JSON has the orders"

echo 'once upon a time' >story
printf '7\nseven\n' >mixed.list
printf 'http://else.test/\033[31m\n' >strange
{
	says 2 "1 of 'b'" "$lycosa" measure --graph web.txt --order a=bfs.1 --order a=bfs.2 --order b=bfs.3
	says 2 "a policy has this name" "$lycosa" measure --graph web.txt --order bfs=bfs.1 --policies bfs
	says 2 "printable characters" "$lycosa" measure --graph web.txt --order "a,b=bfs.1"
	says 2 "the nearest is 'scrapy'" "$lycosa" measure --graph web.txt --order bfs.1 --format scrappy
	says 3 "no page in its first lines" "$lycosa" measure --graph web.txt --order story
	says 3 "cannot open" "$lycosa" measure --graph web.txt --order nothing.log
	says 3 ":2: neither the id of a node nor a URL" "$lycosa" measure --graph web.txt --order mixed.list
	says 19 "is empty" "$lycosa" measure --graph web.txt --order /dev/null
	says 19 "none is a page of the graph; the first is 'http://else.test/?" "$lycosa" measure --graph web.txt --order strange
} >/dev/null 2>&1
verdict "what is no order, or not of this graph, is refused in a line"

printf '[global]\npolicies = bfs\n[web]\ngraph = web.txt\norder = bfs.1\n' >job.ini
says 2 "only 'study = compare' measures orders" "$lycosa" study job.ini
result $? "a study that judges policies refuses orders"
