#!/bin/bash
# What several agents cost in order: live crawls of a served graph by one agent and by several, under some policies and from several draws of
# seeds, and the difference of their AUC.
#
#   agents-auc.sh LYCOSA GRAPH URLS [POLICY ...]       opic ieca fica backlink partial-pagerank
#
# GRAPH is a graph file of any format, URLS has the URL of node i on line i; the graph should have many hosts. `serve` answers behind --proxy, so
# that no address is shared, and each answer takes as long as answers of a web do: a server that answers at once lets thousands of pages be
# crawled before a letter arrives. All agents together have as many transfers in flight as the one agent.
#
# A line for each crawl goes to stderr, and a row for each policy to stdout: the number of draws, the mean AUC of one agent and of several, mean,
# standard deviation, least and greatest of the differences, and the pages a second. AUC is the mean, over K from 1 to the number of nodes, of the share
# of the K best nodes by PageRank among the first K pages, in the order in which the server's log has the requests.
#
# The environment: AGENTS (4), DRAWS (3), SEEDS (0.01, the share of the nodes that are seeds), ANSWER (50ms), PARALLEL (64 transfers in all),
# PROXY_PORT (0: any). Choose PARALLEL so that the processor is not the limit.
set -eu
lycosa=$(readlink -f "$1") graph=$(readlink -f "$2") urls=$(readlink -f "$3")
shift 3
[ $# -gt 0 ] || set -- opic ieca fica backlink partial-pagerank
PATH=$PATH:/usr/sbin
agents=${AGENTS:-4} answer=${ANSWER:-50ms} parallel=${PARALLEL:-64}
dir=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || :; done; wait; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"

"$lycosa" rank --graph "$graph" --all | awk '/^[0-9]/ { printf "%s\t%s\n", $1, $2 }' >rank
LC_ALL=C sort -s -k2,2gr rank | cut -f 1 >best
nodes=$(wc -l <best)
seeds=$(awk -v n="$nodes" -v share="${SEEDS:-0.01}" 'BEGIN { k = int(n * share); print k < 1 ? 1 : k }')

# auc: that of the server's log
auc() {
	tr -d '\000' <requests.log | awk -F '\t' '
		FILENAME == ARGV[1] { place[$1] = ++nodes; next }
		FILENAME == ARGV[2] { id[$0] = FNR - 1; next }
		!($5 in id) || id[$5] in had { next } # a proxy is asked for whole URLs
		{
			had[id[$5]]
			p = place[id[$5]]
			n++
			if (p <= n) hot++; else later[p] = 1
			hot += n in later
			sum += hot / n
			if (!first) first = $1
			last = $2
		}
		END {
			if (!n) exit 1
			for (k = n + 1; k <= nodes; k++) { hot += k in later; sum += hot / k }
			printf "%d\t%.6f\t%.0f\n", n, sum / nodes, n / ((last - first) / 1e6 + 1e-6)
		}' best "$urls" -
}

begin() {
	rm -rf store.* jetstream ports requests.log address
	"$lycosa" serve --graph "$graph" --urls "$urls" --faults "slow=1:$answer" --port "${PROXY_PORT:-0}" --log requests.log >address 2>serve.err &
	web=$!
	pids=$web
	until grep -qs '^listening' address; do kill -0 "$web" || { cat serve.err >&2; exit 1; }; sleep 0.1; done
	proxy=http://127.0.0.1:$(sed -n 's/^listening on .*://p' address)
	mkdir ports
	nats-server -js -sd jetstream -a 127.0.0.1 -p -1 --ports_file_dir ports >nats.log 2>&1 &
	pids="$pids $!"
	until grep -qs 'nats://' ports/*.ports; do kill -0 $! || exit 1; sleep 0.1; done
	url=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' ports/*.ports | tail -n 1)/auc
}

# crawl AGENTS POLICY: a line of pages, AUC and pages a second
crawl() {
	local jobs="" i common="--proxy $proxy --delay 0 --parallel $((parallel / $1)) --progress none"
	for i in $(seq "$1"); do
		if [ "$i" = 1 ]; then
			"$lycosa" crawl --seeds seeds -H --policy "$2" $common --join "$url" --agents "$1" --store store.1 >/dev/null 2>talk.1 &
		else
			"$lycosa" crawl $common --join "$url" --store "store.$i" >/dev/null 2>"talk.$i" &
		fi
		jobs="$jobs $!"
		pids="$pids $!"
		until [ "$i" != 1 ] || [ "$1" = 1 ] || grep -qs 'agent 1 of' talk.1; do kill -0 $! || { cat talk.1 >&2; exit 1; }; sleep 0.05; done
	done
	for i in $jobs; do wait "$i" || { cat talk.* >&2; exit 1; }; done
	auc
}

end() {
	kill $pids 2>/dev/null || :
	wait
	pids=
}

printf 'policy\tdraws\tone\tseveral\tdifference\tdeviation\tleast\tgreatest\tpages_a_second\n'
for draw in $(seq "${DRAWS:-3}"); do
	"$lycosa" seeds --graph "$graph" --urls "$urls" --method random --count "$seeds" --rng-seed "$draw" |
		awk -F '\t' '/^[0-9]/ { print $NF }' >seeds
	for policy; do
		for n in 1 "$agents"; do
			begin
			line=$(crawl "$n" "$policy")
			end
			printf '%s\t%d\t%d\t%s\n' "$policy" "$draw" "$n" "$line" | tee -a crawls >&2
		done
	done
done
for policy; do
	awk -F '\t' -v policy="$policy" '
		$1 == policy && $3 == 1 { one[$2] = $5 }
		$1 == policy && $3 != 1 { many[$2] = $5; speed += $6 }
		END {
			for (d in many) {
				x = many[d] - one[d]
				n++; a += one[d]; b += many[d]; s += x; q += x * x
				if (n == 1 || x < least) least = x
				if (n == 1 || x > most) most = x
			}
			v = n > 1 ? (q - s * s / n) / (n - 1) : 0
			printf "%s\t%d\t%.3f\t%.3f\t%+.3f\t%.3f\t%+.3f\t%+.3f\t%.0f\n", policy, n, a / n, b / n, s / n, sqrt(v > 0 ? v : 0), least, most, speed / n
		}' crawls
done
