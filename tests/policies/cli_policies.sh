#!/bin/sh
# Policies from the command line: options that are one policy's, tolerances, what a policy must be told.
. "$(dirname "$0")/../tap.sh"
plan 9

"$lycosa" graph generate --nodes 400 --arcs-per-node 6 --write-urls addresses.txt web.txt
printf '3\n77\n' >seeds

replay() { "$lycosa" replay --graph web.txt --seeds seeds --total 400 "$@" 2>>problem; }

replay --policy ieca --policy-opt delta0=0.1 --order plain >/dev/null &&
	replay --policy ieca --policy-opt ieca.delta0=0.1 --policy-opt opic.c0=0 --order named >/dev/null &&
	replay --policy ieca --order default >/dev/null && cmp plain named && ! cmp -s plain default
result $? "an option may carry its policy's name"

"$lycosa" compare --graph web.txt --seeds seeds --policies opic,ieca --policy-opt ieca.delta0=0.1 >results 2>problem &&
	grep -q '^# policy: opic c0=1$' results && grep -q '^# policy: ieca delta0=0.1 ' results
result $? "and is then for that policy alone"

says 2 "no policy 'icea'; the nearest is 'ieca'" "$lycosa" compare --graph web.txt --seeds seeds \
	--policies opic,ieca --policy-opt icea.delta0=0.1 &&
	says 2 "ieca has no option 'delta'" "$lycosa" replay --graph web.txt --seeds seeds --policy opic \
		--policy-opt ieca.delta=0.1
result $? "a name or an option that is wrong is told whoever it is for"

for policy in batch-pagerank partial-pagerank; do
	replay --policy $policy --batch 5 --tol 1e-13 --keys --order flag >results &&
		grep -q "^# policy: $policy tol=1e-13$" results &&
		replay --policy $policy --batch 5 --policy-opt tol=1e-13 --keys --order option >/dev/null &&
		cmp flag option
	result $? "$policy: --tol is its option tol"
done

says 2 "no crawl has seen\|a live crawl has not seen" "$lycosa" crawl http://127.0.0.1:1/ --store s \
	--policy omniscient && [ ! -e s ]
result $? "a live crawl refuses what needs the whole graph, and leaves no store"

says 2 "goes by hosts, and the graph has none" "$lycosa" replay --graph web.txt --seeds seeds --policy largest-site &&
	says 2 "scores=FILE" "$lycosa" replay --graph web.txt --seeds seeds --policy static
result $? "a policy whose hosts or scores are missing says so"

replay --policy omniscient --order told --keys >/dev/null &&
	replay --policy static --policy-opt scores=told --order fixed >/dev/null &&
	cut -f 1 told | cmp - fixed
result $? "static with the keys of omniscient is omniscient"

replay --urls addresses.txt --policy largest-site --order sites >/dev/null && sort plain >pages &&
	sort sites | cmp - pages
result $? "with hosts, largest-site crawls what there is to crawl"
