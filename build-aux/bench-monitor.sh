#!/bin/bash
# What an open page of the monitor costs a crawl: crawls of the same pages at the same pace, by turns with and without a
# reader that asks what the page asks for, when the page does. Prints the processor time of the crawl's process, and at the
# end the medians, the share of the crawl's time that the page adds, and the share of a processor that is.
# usage: build-aux/bench-monitor.sh BUILD [ROUNDS] [PAGES]   (5 rounds of 2 crawls of 6,000 pages: 20 minutes)
set -eu
[ $# -ge 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
lycosa=$(cd "$1" && pwd)/lycosa rounds=${2:-5} pages=${3:-6000}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

# 50 to 100 pages a second: at most four at a time, 40 ms each
"$lycosa" graph generate --nodes $((pages * 4)) --arcs-per-node 12 --rng-seed 1 --write-urls web.urls web.txt
"$lycosa" serve --graph web.txt --faults slow=1:40ms >served 2>/dev/null &
until grep -qs '^listening' served; do sleep 0.1; done
port=$(sed 's/.*://' served)
awk 'NR % 400 == 1' web.urls >seeds

# what page.js asks for every two seconds: the figures, and by turns the charts, or the next pages and the hosts
watch() {
	until [ -s store/monitor ]; do sleep 0.1; done
	at=$(head -n 1 store/monitor)
	for ((turn = 1; ; turn++)); do
		set -- "$at/api/status"
		if ((turn == 1 || turn % 2 == 0)); then set -- "$@" "$at/api/history"; fi
		if ((turn % 2)); then set -- "$@" "$at/api/next?count=20" "$at/api/hosts?sort-by=queued&count=50"; fi
		printf 'url = "%s"\noutput = /dev/null\n' "$@" | curl -s --compressed -K - || return 0
		sleep 2
	done
}

# crawl: its seconds on a processor and by the clock
crawl() {
	rm -rf store
	{
		TIMEFORMAT='%U %S %R'
		time "$lycosa" crawl --seeds seeds --span-hosts --connect-to "::127.0.0.1:$port" --delay 0 --parallel 4 --per-host 4 --store store \
			--max-pages "$pages" --no-robots --monitor -q >/dev/null 2>errors
	} 2>&1 | awk '{ print $1 + $2, $3 }'
}

: >without
: >with
for round in $(seq "$rounds"); do
	crawl >>without
	watch &
	watcher=$!
	crawl >>with
	wait $watcher 2>/dev/null || true
	echo "round $round: $(tail -n 1 without | cut -d ' ' -f 1) s without, $(tail -n 1 with | cut -d ' ' -f 1) s with the page"
done
median() { sort -n "$1" | awk '{ cpu[NR] = $1; clock[NR] = $2 } END { i = int((NR + 1) / 2); print cpu[i], clock[i] }'; }
echo "$(median without) $(median with)" | awk -v pages="$pages" '{
	printf "%d pages, medians: %.2f s of a processor without the page, %.2f s with it in %.0f s: %+.1f%%, %.2f%% of a processor\n",
		pages, $1, $3, $4, 100 * ($3 / $1 - 1), 100 * ($3 - $1) / $4 }'
