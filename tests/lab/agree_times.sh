#!/bin/sh
# The times of one crawl in three worlds (lycosa agree), as far as they hold on a busy machine, too: the machine slows the live crawl, and
# nothing lets that one outrun the delay.
. "$(dirname "$0")/../tap.sh"
plan 5

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --write-hosts web.hosts web.txt
"$lycosa" agree --graph web.txt --hosts web.hosts --policies opic,ieca >results 2>errors \
	--politeness delay=100ms,parallel=64,slow=0.1:60ms,404=0.03,503=0.02:1s,redirect=0.05,transient-500=0.02,transient-drop=0.02
got=$?
cp results times
[ $got -le 1 ] && [ "$(grep -c '^[oi]' times)" = 2 ]
result $? "a polite crawl is compared in time"
awk -F '\t' '/^[oi]/ && $2 != $3' times >problem
verdict "whatever fails or moves, the live crawl gets as many pages as was predicted"
awk -F '\t' '/^[oi]/ && $5 > $4 * 1.1' times >problem
verdict "a live crawl is no faster than predicted"
# the live crawl of a web that changes is late by what its requests cost, and meets a few other versions
"$lycosa" agree --graph web.txt --hosts web.hosts --policies bfs --politeness delay=20ms,parallel=64,change-rate=2000,seed=3 >results 2>errors
[ $? -le 1 ] && awk -F '\t' '$1 == "bfs" { exit !($2 > 100 && $2 < 300 && ($2 - $3) ^ 2 < ($2 * 0.1) ^ 2) }' results
result $? "a live crawl of a graph that changes gets about as many pages as was predicted"
"$lycosa" agree --graph endless:7,hosts=100,nodes=400,changes=500 --policies bfs --politeness delay=20ms,parallel=64 >results 2>errors
[ $? -le 1 ] && awk -F '\t' '$1 == "bfs" { exit !($2 > 100 && ($2 - $3) ^ 2 < ($2 * 0.1) ^ 2) }' results
result $? "and so does one of an endless web that changes"
