#!/bin/sh
# A live crawl of very many URLs without a network, as rows for bench.sh: what, unit, lycosa's figure, what it is compared with, and
# the figure of that.
#
#   bench-scale.sh BENCH_SCALE [URLS]      10 million by default, which take 1 GB of memory and of disk in $TMPDIR, and some minutes; then 2 million with a limit
#   bench-scale.sh - <OUTPUT               of a run that was made before
set -eu
bound=180M
web=7,hosts=2000000,pages=16000000,links=6,branches=1000,outside=0.1,traps=0,rules=0 # the one of bench_scale.c
dir=
out=$(mktemp)
trap 'rm -rf "$out" ${dir:+"$dir"}' EXIT
if [ "$1" = - ]; then
	cat >"$out"
else
	dir=$(mktemp -d)
	"$1" "$dir" "${2:-10000000}" | tee "$out" >&2
	# the beginning of the same crawl with about half of the memory that it takes
	rm -rf "$dir"
	mkdir "$dir"
	"$1" "$dir" 2000000 "$web" opic "$bound" | sed 's/^scale/bounded/' | tee -a "$out" >&2
fi
awk -F '\t' -v OFS='\t' -v bound="$bound" '
	$1 == "bounded" { bounded[$2, $3] = $4 }
	$1 != "scale" { next }
	{
		value[$2, $3] = $4
		if ($3 ~ /of CPU$/ || $5 == "s of CPU")
			cpu[$2, $3] = $4
		if ($3 == "memory of a URL seen")
			crawled = $2
		last = $2
	}
	# a run that was stopped has not measured everything
	function row(what, unit, figure, peer, peers_figure) {
		if (figure != "" && peers_figure != "")
			print what, unit, figure, peer, peers_figure
	}
	END {
		at = crawled " URLs"
		link = "a link looked up and stored"
		row("memory of a URL seen, " at, "bytes", value[crawled, "memory of a URL seen"], "the aim", 64)
		if ((last, "names of hosts") in value)
			row("a URL with its host on the disk, " at, "bytes", value[last, "URL, host and depth"] + value[last, "names of hosts"],
				"the aim", 25)
		row("a URL on the disk, everything counted, " at, "bytes", value[last, "file"] + value[last, "snapshot"], "the aim", 60)
		row("a link on the disk, " at, "bytes", value[last, "links"], "the aim", 2.5)
		row(link ", its share of all work for a page, at " at, "us of CPU", value[crawled, link], "at 1 M", value["1 M", link])
		row("a crawl opened again, " at, "s of CPU", cpu[last, "to open the crawl again with its snapshot"], "from its log",
			cpu[last, "to open the crawl again from its log"])
		row("peak resident memory at 2 M URLs with --max-memory " bound, "MB", bounded["2 M", "peak resident memory"], "without a limit",
			value["2 M", "peak resident memory"])
		row("a page crawled at 2 M URLs with --max-memory " bound, "us of CPU", bounded["2 M", "a page crawled"], "without a limit",
			value["2 M", "a page crawled"])
	}' "$out"
