#!/bin/sh
# What is odd but allowed, and what is not: graphs of no page, one, or all alike; seeds that are empty,
# doubled, unknown; budgets of none and too much. A table never has what is no number.
. "$(dirname "$0")/../tap.sh"
plan 11

printf '# Nodes: 0\n' >none.txt
printf '# Nodes: 1\n' >one.txt
printf '# Nodes: 5\n' >apart.txt
printf '0 0\n' >loop.txt
printf '0 1\n' >two.txt
awk 'BEGIN { for (i = 0; i < 6; i++) for (j = 0; j < 6; j++) print i, j }' >clique.txt
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i + 1 }' >chain.txt
echo 0 >zero
printf '2\n2\n0\n' >doubled
printf '0\n99999\n' >unknown
echo 'http://nowhere.test/' >url
: >empty
printf '# none\n\n' >comments
"$lycosa" graph generate --nodes 300 --arcs-per-node 5 --rng-seed 2 --write-urls web.urls --to edges web.txt 2>problem

# clean FILE...: nothing in them is no number
clean() { ! grep -n -w -i -E 'nan|inf|infinity' "$@" >>problem; }

for g in one apart loop two clique chain; do
	for flags in "" "--max-pages 0" "--max-pages 1" "--batch 1" "--batch 100000" "--total 1" "--total reachable" "--ties --tau"; do
		# shellcheck disable=SC2086 # words
		"$lycosa" compare --graph $g.txt --seeds zero --draws 2 $flags >results 2>errors || echo "$g $flags: $?" >>problem
		clean results errors
	done
done
verdict "small graphs compare, whatever the budget, the batch and the total"

for g in one apart clique; do
	"$lycosa" compare --graph $g.txt --seeds random:1 --draws 2 --out out >results 2>errors || echo "$g: $?" >>problem
	clean out/* results errors
	"$lycosa" compare --from out/manifest.json -q >again 2>errors && cmp results again >>problem 2>&1 || cat errors >>problem
	"$lycosa" seeds --graph $g.txt --method random --count 3 --out study >results 2>errors || echo "$g: seeds $?" >>problem
	clean study/* results errors
	"$lycosa" coverage --graph $g.txt --seeds zero --hops 2 >results 2>errors || echo "$g: coverage $?" >>problem
	clean results errors
	for by in pagerank hits indegree; do
		"$lycosa" rank --graph $g.txt --by $by --against pagerank,outdegree --top 2 >results 2>errors || echo "$g: rank $?" >>problem
		clean results errors
	done
done
verdict "and so do their reports, seeds, coverage and ranks"

says 19 "no nodes" "$lycosa" replay --graph none.txt --seeds random:1 --policy bfs
says 19 "no nodes" "$lycosa" compare --graph none.txt --seeds zero --policies bfs,ieca
verdict "a graph without pages has nothing to crawl"

for f in empty comments; do
	says 19 "no seed found: '$f' names no page" "$lycosa" replay --graph two.txt --seeds $f --policy bfs
done
says 19 "of the pages of 'url' 1 are not in the graph" "$lycosa" replay --graph web.txt --urls web.urls --seeds url --policy bfs
says 2 "unknown:2: no node '99999' in the graph" "$lycosa" replay --graph two.txt --seeds unknown --policy bfs
says 2 "no node id, and the graph has no URLs" "$lycosa" replay --graph two.txt --seeds url --policy bfs
says 3 "nowhere" "$lycosa" replay --graph two.txt --seeds nowhere --policy bfs
for n in 0 -1 nan 1.5 x; do
	says 2 "random:$n" "$lycosa" replay --graph two.txt --seeds random:$n --policy bfs
done
says 2 "has only 2 nodes" "$lycosa" replay --graph two.txt --seeds random:3 --policy bfs
verdict "seeds that are none are told"

"$lycosa" replay --graph clique.txt --seeds doubled --policy bfs --order - -q 2>>problem | tr '\n' ' ' >order
[ "$(cat order)" = "2 0 1 3 4 5 " ] || cat order >>problem
verdict "doubled seeds count once, in their order"

says 2 "the graph has only 6 nodes" "$lycosa" replay --graph clique.txt --seeds zero --policy bfs --max-pages 7
verdict "a budget beyond the graph is refused"

"$lycosa" seeds --graph web.txt --method hits --count 3 --out study >results 2>>problem
clean study/*
says 2 "is of 'lycosa seeds', not of a comparison" "$lycosa" compare --from study/manifest.json
verdict "the manifest of an evaluation is none of a comparison, and --from says so"

# two cores, one way from one to the other: all their distances are equal
printf '0 2\n0 3\n1 2\n1 3\n4 6\n4 7\n5 6\n5 7\n2 4\n6 0\n' >cores.txt
awk 'BEGIN { for (i = 0; i < 8; i++) print "http://h" i ".test/" }' >cores.urls
"$lycosa" seeds --graph cores.txt --urls cores.urls --method hits --count 2 --out study >results 2>>problem
clean study/*
grep -q 'no correlation of |i-j| with D(i,j): one of them is always the same' study/results.tsv || echo "no word of it" >>problem
verdict "a correlation that there is none of is told so"

printf '1\t2\n' >worth
says 2 "said twice" "$lycosa" seeds --graph web.txt --method maxweight --count 2 --method-opt values=worth --values worth
"$lycosa" seeds --graph web.txt --method maxweight --count 2 --method-opt values=worth 2>>problem | grep -v '^#' >one
"$lycosa" seeds --graph web.txt --method maxweight --count 2 --values worth 2>>problem | grep -v '^#' | diff one - >>problem
verdict "what pages are worth is said once"

"$lycosa" rank --graph web.txt --by pagerank --against pagerank --top 3 2>>problem | tail -n 1 >last
printf 'pagerank\t1\t3\t1\n' | diff - last >>problem
verdict "a ranking is as like itself as can be: tau is 1"

"$lycosa" compare --graph web.txt --seeds random:5 --draws 5 --policies bfs,opic >results 2>errors
grep -q 'not separable at 5 draws (6 or more are needed)' errors || cat errors >>problem
verdict "five draws part no policies"
