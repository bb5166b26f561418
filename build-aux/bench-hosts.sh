#!/bin/bash
# How fast a polite crawl of many hosts is: 12,800 pages on 200 hosts, each on a loopback address of its own, at a delay of 0.1 s.
#
#   bench-hosts.sh LYCOSA        a row for bench.sh: what, unit, lycosa's figure, the peer's name, its figure
#
# A crawl cannot be faster than the delays of one host: robots.txt and 64 pages, with 64 delays between them. A delay is made
# longer by a random share of at most a fifth (crawler/live/live.h), so it is 0.11 s in the mean. The crawl has 200 seeds, one on each
# host; a page links to eight pages anywhere, and the seed to all pages of its host. The server's log is audited: a crawl that
# came too early at a host has no figure.
set -eu
lycosa=$(readlink -f "$1")
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cd "$dir"

# start: serves the web on a port that is free on all addresses
start() {
	for _ in 1 2 3; do
		port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
		awk -v port="$port" 'BEGIN {
			srand(5)
			for (host = 0; host < 200; host++)
				for (k = 0; k < 64; k++) {
					url = "http://127.0.0." (host + 1) ":" port "/" k
					print url >"urls"
					if (k == 0)
						print url >"seeds"
					for (j = 1; k == 0 && j < 64; j++)
						print host * 64, host * 64 + j >"web.txt"
					for (j = 0; j < 8; j++)
						print host * 64 + k, int(rand() * 12800) >"web.txt"
				}
		}'
		"$lycosa" serve web.txt --urls urls --port "$port" --addresses 200 --log log >address 2>talk.txt &
		server=$!
		for _ in $(seq 100); do [ -s address ] || ! kill -0 "$server" 2>/dev/null || sleep 0.1; done
		[ ! -s address ] || return 0
	done
	cat talk.txt >&2
	exit 1
}

# crawl: the seconds of a crawl
crawl() {
	rm -rf store
	began=$(date +%s.%N)
	"$lycosa" crawl -H --seeds seeds --store store --delay 100ms --parallel 256 --allow-private -q >summary
	awk -v began="$began" -v now="$(date +%s.%N)" 'BEGIN { print now - began }'
}

best=1000000
for _ in 1 2 3; do
	start
	seconds=$(crawl)
	kill "$server"
	wait "$server" 2>/dev/null || :
	server=
	pages=$(awk -F '\t' '$1 == "crawled" { print $2 }' summary)
	[ "$pages" = 12800 ] || { echo "bench-hosts.sh: $pages pages of 12800 were crawled" >&2; exit 1; }
	"$lycosa" audit log --delay 100ms >audit.txt || { cat audit.txt >&2; exit 1; }
	best=$(awk -v a="$best" -v b="$seconds" 'BEGIN { print a < b ? a : b }')
	rm log address
done
printf '%s\t%s\t%s\t%s\t%s\n' "a polite crawl of 12800 pages on 200 hosts at a delay of 0.1 s, elapsed" s "$best" \
	"64 delays of 0.11 s" 7.04
