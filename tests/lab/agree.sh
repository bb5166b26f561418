#!/bin/sh
# One crawl in three worlds (lycosa agree): the orders are the same under every policy.
. "$(dirname "$0")/../tap.sh"
plan 10

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --write-hosts web.hosts web.txt
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $5 == "" { n++ } END { print n }')
status 0 "$lycosa" agree --graph web.txt --hosts web.hosts &&
	[ "$(grep -c '	yes$' results)" = $((2 * policies)) ] && ! grep -q '	no$' results
result $? "replay, virtual time and live crawl take the pages of many hosts in one order, under all $policies policies"
status 0 "$lycosa" agree --graph web.txt --seeds random:2 --rng-seed 5 --batch 9 \
	--policies bfs:60,ieca,backlink:50,partial-pagerank:70,random,opic
result $? "and so they do on one host, and under policies that take turns"
awk 'BEGIN { for (i = 0; i < 299; i++) print i "\t" i + 1 }' >chain.txt
echo 0 >first.txt
status 0 "$lycosa" agree --graph chain.txt --seeds first.txt --policies bfs,opic && grep -q '^opic	live	300	300	300	yes' results
result $? "no page of a served chain is taken for a duplicate"

# rules on everything that a rule can look at: the paths are numbers
cat >order.rules <<'END'
# the order of a crawl
last regex /[0-9]*7$
first host h1.test
first suffix 0
reject suffix 13
weight 20 glob *1
weight 0.05 prefix http://h2.test/2
last depth 4-
END
sed -i "s/h1.test/$(sed -n 2p web.hosts)/; s/h2.test/$(sed -n 3p web.hosts)/" order.rules
status 0 "$lycosa" agree --graph web.txt --hosts web.hosts --rules order.rules &&
	[ "$(grep -c '	yes$' results)" = $((2 * policies)) ] && ! grep -q '	no$' results
result $? "rules order the pages in one way in all three worlds, under all policies"
status 0 "$lycosa" agree --graph web.txt --rules order.rules --seeds random:2 --batch 9 --policies bfs:60,ieca,opic
result $? "and so they do on one host, and under policies that take turns"

# a host with most of the pages, and a budget of which it may take 1,000
"$lycosa" graph generate --nodes 2000 --arcs-per-node 4 --rng-seed 7 large.txt
awk 'BEGIN { for (i = 0; i < 2000; i++) print i % 6 ? "large.test" : "h" i % 5 ".test" }' >large.hosts
printf '0\n1\n' >two.txt # of two hosts
share() { "$lycosa" replay --graph large.txt --hosts large.hosts --seeds two.txt --max-pages 1300 --policy opic --order - -q "$@" | awk '$1 % 6' | wc -l; }
status 0 "$lycosa" agree --graph large.txt --hosts large.hosts --seeds two.txt --max-pages 1300 --host-share 0.01 --policies opic &&
	[ "$(grep -c '	yes$' results)" = 2 ] && [ "$(share)" -gt 1000 ] && [ "$(share --host-share 0.01)" = 1000 ]
result $? "the share of a host is the same in all three worlds"

printf 'last depth 2\nfirst dept 1\n' >bad.rules
says 2 "line 2 of bad.rules" "$lycosa" agree --graph web.txt --rules bad.rules
result $? "a rule that is none is named with its file and line"

says 2 "looks at the whole graph" "$lycosa" agree --graph web.txt --policies omniscient
result $? "a policy that sees the whole graph is none for a live crawl"
says 2 "a live crawl has 0.2" "$lycosa" agree --graph web.txt --politeness jitter=0
result $? "what the live crawl has not, cannot be asked for"
says 2 "the served web has none" "$lycosa" agree --graph web.txt --politeness dead=0.1
result $? "nor what the served web has not"
