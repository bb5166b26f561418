#!/bin/sh
# Crawls by several agents: replay, compare and study.
. "$(dirname "$0")/../tap.sh"
needs jq
plan 9

"$lycosa" graph generate -q --nodes 1500 --arcs-per-node 6 --write-urls web.urls web.txt
cut -d/ -f3 web.urls >web.hosts
replay() { "$lycosa" replay -q --graph web.txt --seeds random:5 "$@"; }

replay --policy ieca --order alone --keys >/dev/null
replay --policy ieca --agents 1 --lag 7 --order one --keys >/dev/null
cmp alone one >problem 2>&1
result $? "one agent takes the pages of a replay, with the same keys"
cut -f 1 alone | sort >pages
for shares in fixed load; do
	replay --policy opic --agents 6 --lag 9 --shares $shares --order order --json >$shares.json
	sort order | cmp - pages >problem 2>&1 && jq -e '.agents[0].twice == 0 and .agents[0].letters == .agents[0].arrived' $shares.json >/dev/null
	result $? "six agents with $shares shares take the same pages, each once"
done
jq -es '.[0].agents[0].moves == 0 and .[1].agents[0].moves > 0 and .[1].agents[0].idle < .[0].agents[0].idle' fixed.json load.json >/dev/null
result $? "with shares that follow load, partitions move and agents idle less"
[ "$(jq '[.agents[1:][].letters] | add' fixed.json)" = "$(jq '.agents[0].letters' fixed.json)" ] && [ "$(jq '.agents | length' fixed.json)" = 7 ]
result $? "each agent has a row, and the sums are right"
says 2 'give --agents' replay --lag 3 && says 2 'give --agents' replay --shares load &&
	says 2 'give --agents' "$lycosa" compare -q --graph web.txt --seeds random:5 --policies bfs --lag 3 && says 2 '1024' replay --agents 1025 &&
	says 2 'virtual time' replay --agents 2 --politeness live && says 2 'cannot be divided' replay --agents 2 --policy bfs:5,ieca
result $? "what cannot be done is refused"
sed 's/\t/ /' web.txt >nohosts.txt
says 2 'see --hosts' "$lycosa" replay -q --graph nohosts.txt --seeds random:5 --agents 2
result $? "and so is a graph without hosts"
"$lycosa" compare -q --graph web.txt --seeds random:5 --policies opic,bfs,ideal --agents 3 --lag 2 --shares load --out folder >/dev/null 2>problem &&
	grep -q '"agents": "3:2:load"' folder/manifest.json && status 0 "$lycosa" compare -q --from folder/manifest.json &&
	grep -q '^#agents	opic	1	all' results
result $? "a manifest repeats a comparison with agents"
cat >job.ini <<END
[global]
policies = opic, bfs
vary = agents: 1, 4, 4:10:load
seeds = random:5
draws = 2
[web]
graph = web.txt
END
"$lycosa" study job.ini -q --out study >/dev/null 2>problem && [ -s study/agents-web.svg ] && grep -q '^web	opic 4:10:load	4	10	load	' study/agents.tsv
result $? "a study has a table and a figure of the agents"
