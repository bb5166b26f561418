#!/bin/sh
# The thing measured is the thing shipped: with one page in flight and no delay, a live crawl of the
# fake web takes the same pages in the same order as a replay of its graph, under every policy, whether policies rerank as the
# crawl grows, as they do without flags, or every 7 pages.
. "$(dirname "$0")/../tap.sh"
# all but those that need what only the laboratory knows
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $5 == "" { print $1 }')
# and some that take turns
policies="$policies bfs:60,ieca largest-site:30,opic:40,backlink ieca:50,partial-pagerank:70,random"
plan $(($(echo "$policies" | wc -w) * 4 + 2))

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --to edges --write-urls web.urls web.txt
loops=$(awk '!/^#/ && $1 == $2' web.txt | wc -l)
[ "$loops" -gt 0 ]
result $? "the graph has links to itself ($loops)"
serve --graph web.txt

for policy in $policies; do
	common="--policy $policy --rng-seed 3"
	# on many hosts, each with its robots.txt, and on one host without
	"$lycosa" crawl "$(sed -n 6p web.urls)" "$(sed -n 1p web.urls)" --store "s-$policy" $common -H \
		--connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --order - >live 2>problem &&
		printf '5\n0\n' | "$lycosa" replay --graph web.txt --seeds - $common --order ids >/dev/null 2>problem &&
		awk 'NR == FNR { url[NR - 1] = $0; next } { print url[$1] }' web.urls ids >replayed &&
		[ "$(wc -l <ids)" -gt 100 ] && diff live replayed >problem
	result $? "$policy: live and replayed agree"
	# the store's own graph, replayed
	sed -n '6p;1p' web.urls >seeds.txt
	"$lycosa" replay --graph "s-$policy" --seeds seeds.txt $common --order ids2 >/dev/null 2>problem &&
		"$lycosa" crawl --store "s-$policy" --connect-to "::127.0.0.1:$port" --delay 0 --order live2 >/dev/null 2>problem &&
		[ "$(wc -l <ids2)" = "$(wc -l <ids)" ] && diff live live2 >problem
	result $? "$policy: the store replays, and a finished crawl has nothing to add"
	# in two sittings: the policy comes back from the log as it was
	status=0
	for pages in 40 300; do
		"$lycosa" crawl "$(sed -n 6p web.urls)" "$(sed -n 1p web.urls)" --store "t-$policy" $common -H \
			--connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --max-pages $pages \
			--order order >/dev/null 2>problem || status=1
		head -n $pages live | diff - order >problem || status=1
	done
	"$lycosa" store verify --store "t-$policy" >problem 2>&1 || status=1
	result $status "$policy: a crawl in two sittings is the same crawl"
done

# --- a fifth of the pages fail, some are elsewhere, others are forbidden by robots.txt
printf 'User-agent: *\nDisallow: /2\n' >robots.txt
serve --graph web.txt --faults 404=0.15,redirect=0.1,drop=0.05,seed=5 --robots robots.txt
failing=$("$lycosa" crawl "$(sed -n 1p web.urls)" --store probe -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
	--log - 2>/dev/null | sed -n 's/.*"url":"\([^"]*\)".*"status":404.*/\1/p' | head -n 1)
{ echo "$failing"; sed -n '6p;1p' web.urls; } >seeds.txt
[ -n "$failing" ]
result $? "a seed fails, too ($failing)"
# side by side, since each of these crawls waits for its retries
crawls=
for policy in $policies; do
	background "$lycosa" crawl --seeds seeds.txt --store "f-$policy" --policy "$policy" --batch 7 --total 300 --rng-seed 3 -H \
		--connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --order "live-$policy" >/dev/null 2>"problem-$policy"
	crawls="$crawls $!"
done
# shellcheck disable=SC2086 # pids
wait $crawls
for policy in $policies; do
	cp "problem-$policy" problem
	"$lycosa" rank --graph "f-$policy" --by indegree --all 2>>problem | awk -F '\t' '!/^#/ && $1 != "id" { print $1 "\t" $3 }' >named
	"$lycosa" replay --graph "f-$policy" --seeds seeds.txt --policy "$policy" --batch 7 --total 300 --rng-seed 3 \
		--order ids >/dev/null 2>>problem &&
		awk 'NR == FNR { url[$1] = $2; next } { print url[$1] }' named ids >replayed &&
		[ "$(wc -l <ids)" -gt 80 ] && diff "live-$policy" replayed >problem
	result $? "$policy: and where pages fail"
done
