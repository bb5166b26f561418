#!/bin/bash
# A whole crawl of 2 million pages and 29.4 million links under partial-pagerank, and at which tolerance its order is the exact one.
#
#   bench-ranked.sh LYCOSA       rows for bench.sh: what, unit, lycosa's figure, the peer's name, its figure
#
# PageRank is computed forty times in the crawl, each time for all pages that are known. The tolerance says when it stops; an order
# is compared with the one of tol 1e-15, beyond which rounding decides. The rows of tolerances are of a graph a tenth as large.
set -eu
lycosa=$(readlink -f "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# crawl GRAPH TOLERANCE: writes the order to order.TOLERANCE, and prints the seconds of CPU of the crawl alone
crawl() {
	"$lycosa" replay "$1" --seeds random:0.0001 --policy partial-pagerank --policy-opt "tol=$2" --order "order.$2" --timing -q |
		tail -n 1 | cut -f 10
}

"$lycosa" graph generate --nodes 2000000 --arcs-per-node 14.7 --to csr large.csr -q
printf '%s\t%s\t%s\t%s\t%s\n' "a crawl of 2 M pages under partial-pagerank" "s of CPU" "$(crawl large.csr 1e-9)" "the aim" 20

"$lycosa" graph generate --nodes 200000 --arcs-per-node 14.7 --to csr small.csr -q
exact=$(crawl small.csr 1e-15)
for tolerance in 1e-9 1e-11 1e-13; do
	seconds=$(crawl small.csr "$tolerance")
	other=$(paste "order.$tolerance" order.1e-15 | awk '$1 != $2 { n++ } END { print n + 0 }')
	printf '%s\t%s\t%s\t%s\t%s\n' "a crawl of 200,000 pages under partial-pagerank, tol $tolerance: $other places are others" \
		"s of CPU" "$seconds" "tol 1e-15" "$exact"
done
