#!/bin/bash
# The memory of a URL that a crawl has seen: 600 pages, each with new links only, crawled from a fake web.
#
#   bench-memory.sh LYCOSA       two rows for bench.sh: what, unit, lycosa's figure, "the aim", the figure aimed at
#
# The first is the peak resident memory of a crawl that sees a million URLs, over their number: the program, its libraries
# and what it has mapped of its store are in it. The second is what each further URL costs, up to three million.
set -eu
lycosa=$(readlink -f "$1")
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
cd "$dir"
for page in $(seq 0 599); do echo "http://node.test/$page"; done >seeds

# peak LINKS: crawls pages with so many links each; the URLs seen and the peak in bytes
peak() {
	awk -v links="$1" 'BEGIN { for (u = 0; u < 600; u++) for (k = 0; k < links; k++) print u, 600 + u * links + k }' >web.txt
	rm -rf store address
	"$lycosa" serve web.txt --port 0 >address 2>/dev/null &
	server=$!
	for _ in $(seq 300); do [ -s address ] && break; sleep 0.1; done
	"$lycosa" crawl --seeds seeds --store store --max-pages 600 --policy opic --policy-opt c0=0 --delay 0 --parallel 4 --parallel-per-host 4 \
		--no-robots --allow-private --proxy "http://127.0.0.1:$(sed 's/.*://' address)" -q >summary &
	crawl=$!
	: >memory
	while kill -0 "$crawl" 2>/dev/null; do
		sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$crawl/status" >>memory 2>/dev/null || :
		sleep 0.02
	done
	wait "$crawl" || exit
	kill "$server"
	wait "$server" 2>/dev/null || :
	server=
	awk -F '\t' 'FILENAME == "memory" { if ($1 > most) most = $1; next } $1 == "seen" { print $2, most * 1024 }' memory summary
}

million=$(peak 1667)
three=$(peak 5000)
echo "$million $three" | awk -v OFS='\t' '{
	print "memory of a URL seen, a million seen and the program included", "bytes", $2 / $1, "the aim", 64
	print "memory of each further URL, up to three million", "bytes", ($4 - $2) / ($3 - $1), "the aim", 56
}'
