#!/bin/sh
# Swapping the policy of a live crawl: what follows is what the next policy does given the same
# pages; the same in several sittings and after SIGKILL; and what is no swap is refused.
. "$(dirname "$0")/../tap.sh"
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && NR > 2 && $5 == "" && $1 != "name" { print $1 }')
plan $(($(echo "$policies" | wc -l) * 2 + 16))

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --to edges --write-urls web.urls web.txt
sed -n '6p;1p' web.urls >seeds.txt
printf '0\n5\n' >seeds.ids
serve --graph web.txt
common="--batch 7 --total 300 --rng-seed 3"

crawl() {
	"$lycosa" crawl -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 -q "$@" >/dev/null 2>problem
}

# replay CHAIN ARGUMENTS...: into `replayed`, as URLs
replay() {
	chain=$1
	shift
	"$lycosa" replay --graph web.txt --seeds seeds.ids $common --policy "$chain" --order ids "$@" \
		>/dev/null 2>problem &&
		awk 'NR == FNR { url[NR - 1] = $0; next } { print url[$1] }' web.urls ids >replayed
}

# swap FROM TO STORE: 80 pages under one, the rest under the other, in `order`
swap() {
	crawl --store "$3" --seeds seeds.txt $common --policy "$1" --max-pages 80 &&
		crawl --store "$3" --swap-policy "$2" --no-max-pages --order order
}

for policy in $policies; do
	swap bfs "$policy" "to-$policy" && replay "bfs:80,$policy" && cmp order replayed >problem 2>&1 &&
		[ "$(wc -l <order)" -gt 200 ]
	result $? "bfs swapped to $policy goes on as a replay that swaps there"
	swap "$policy" ieca "from-$policy" && replay "$policy:80,ieca" && cmp order replayed >problem 2>&1
	result $? "$policy swapped to ieca, too"
done

info() { "$lycosa" store info --store "$1" --json 2>problem; }

info to-opic | grep -q '"policy": "opic"' && info to-opic | grep -q '"swaps": "after 80 pages: opic c0=1"'
result $? "info tells of the swap, and of the policy that holds"
"$lycosa" store verify --store to-opic >problem 2>&1
result $? "verify is content"

# sittings: a swap, ended soon, gone on with without a word, and swapped back
crawl --store sit --seeds seeds.txt $common --policy opic --max-pages 60 &&
	crawl --store sit --swap-policy ieca --policy-opt delta0=0.3 --max-pages 90 &&
	crawl --store sit --max-pages 120 && crawl --store sit --policy ieca --max-pages 130 &&
	crawl --store sit --swap-policy opic --no-max-pages --order order &&
	replay opic:60,ieca:70,opic --policy-opt ieca.delta0=0.3 && cmp order replayed >problem 2>&1
result $? "in five sittings with two swaps: the order of the chain"
[ "$(info sit | grep -o 'after [0-9]* pages: [a-z]*' | tr '\n' ' ')" = \
	"after 60 pages: ieca after 130 pages: opic " ] && "$lycosa" store verify --store sit >problem 2>&1
result $? "and both swaps in the log, each once"

# a chain in sittings, the ends of which fall on its turns and beside them
for pages in 59 60 61 100 101 300; do
	crawl --store chain --seeds seeds.txt $common --policy bfs:60,ieca:41,backlink --max-pages $pages \
		--order order || break
done
replay bfs:60,ieca:41,backlink && cmp order replayed >problem 2>&1
result $? "a chain in six sittings is the same crawl"
[ "$(info chain | grep -o 'after [0-9]* pages: [a-z]*' | tr '\n' ' ')" = \
	"after 60 pages: ieca after 101 pages: backlink " ]
result $? "its turns stand in the log, each once"

# killed behind its swap, behind that of the chain, and soon after the start: the log goes on as if nothing had been
crawl --store killed --seeds seeds.txt $common --policy bfs --max-pages 80
kills=0
how="--swap-policy opic:120,ieca"
for n in 55 60 25; do
	# shellcheck disable=SC2086 # words
	killed_at $n "$lycosa" crawl --store killed --no-max-pages $how -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
		--log killed.log -q >/dev/null 2>&1 && kills=$((kills + 1))
	how=
	"$lycosa" store verify --store killed >verify.out 2>&1 || cp verify.out problem
done
[ ! -s problem ] && [ $kills = 3 ] && info killed | grep -q '"policy": "opic:120,ieca"'
result $? "after SIGKILL ($kills times) the store is sound, and the swap holds"
crawl --store killed --no-max-pages --order order && replay bfs:80,opic:40,ieca && cmp order replayed >problem 2>&1
result $? "and the order is what it would have been"

# refused: status 2, a line, and the store as it was
refused() {
	text=$1
	shift
	"$lycosa" crawl -q "$@" >/dev/null 2>errors
	[ $? -eq 2 ] && [ "$(wc -l <errors)" -eq 1 ] && grep -q "$text" errors && return 0
	cp errors problem
	return 1
}

crawl --store plain --seeds seeds.txt $common --policy bfs --max-pages 20
refused "begun with --policy bfs, not opic" --store plain --policy opic --connect-to "::127.0.0.1:$port"
result $? "another --policy without a word is refused, both named"
refused "nearest is 'ieca'" --store plain --swap-policy iecb &&
	refused "no option 'delta1'" --store plain --swap-policy ieca --policy-opt delta1=3 &&
	refused "from 0 to 1" --store plain --swap-policy ieca --policy-opt delta0=3 &&
	refused "whole graph" --store plain --swap-policy omniscient &&
	refused "whole graph" --store plain --swap-policy bfs:100,indegree-oracle &&
	refused "how many pages" --store plain --swap-policy bfs:0,ieca &&
	refused "which policy follows" --store plain --swap-policy bfs:10 &&
	refused "takes a turn\|cannot take a turn" --store plain --swap-policy bfs:10,ideal
result $? "what is no policy, no chain, or no live crawl's is refused"
refused "leave out --policy" --store plain --swap-policy ieca --policy bfs
result $? "--policy beside --swap-policy is refused"
refused "no crawl in 'none'" --store none --swap-policy ieca http://127.0.0.1:$port/ && [ ! -e none ]
result $? "there is nothing to swap where there is no crawl"
info plain | grep -q '"policy": "bfs"' && ! info plain | grep -q swaps
result $? "none of them changed the store"
crawl --store plain --swap-policy bfs --max-pages 21 && ! info plain | grep -q swaps
result $? "a swap to the policy that holds is none"
"$lycosa" compare --graph web.txt --seeds seeds.ids --policies bfs,bfs:100,ieca,opic --json \
	--policy-opt ieca.beta=0.2 --out out >results 2>problem &&
	[ "$(grep -c '"policy":"bfs:100,ieca"' results)" -ge 6 ] && grep -q 'ieca.beta=0.2' results
result $? "a chain among the policies of compare is one of them, under its own name"
"$lycosa" compare --from out/manifest.json -q >results 2>problem
result $? "and comes back from a manifest"
