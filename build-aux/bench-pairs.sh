#!/bin/bash
# Two programs crawl the same real documentation sites by turns, whole and with their defaults (but for the delay): what the newer one finds
# of the pages that the older one finds, and what it takes of the processor.
#
#   bench-pairs.sh OLDER NEWER DIR      two lycosa binaries; DIR keeps the sites (build-aux/live-sites.tsv)
#   SETS="small"  PAIRS=10  POLICY=bfs
#
# It needs nginx, jq, and the packages of Debian 12, which are downloaded by apt-get, but not installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
older=$(readlink -f "$1") newer=$(readlink -f "$2") && mkdir -p "$3" && cd "$3" || exit 1
dir=$PWD sets=${SETS:-small}
# shellcheck source=build-aux/live-sites.sh
. "$here/live-sites.sh"
command -v jq >/dev/null || fail "jq is missing: on Debian, apt-get install jq"

# crawl NAME PROGRAM [FLAG...]: user and system seconds are appended to NAME.seconds
crawl() {
	name=$1 program=$2
	shift 2
	rm -rf run/*
	(
		cd run || exit 1
		TIMEFORMAT='%U %S'
		time "$program" crawl "$seed" -H --accept-regex "$only_sites" -R "$no_pages" --allow-private --store store --delay 0 \
			--parallel 16 --parallel-per-host 16 --policy "${POLICY:-bfs}" "$@" -q >../talk 2>&1
	) 2>seconds
	tail -n 1 seconds >>"$name.seconds"
}

# pages NAME PROGRAM: the pages that a crawl finds are then in NAME.pages
pages() {
	crawl "$1-log" "$2" --log log
	jq -r 'select(.event == "crawled") | .url' run/log | sort -u >"$1.pages"
}

rm -f ./*.seconds
start_sites
pages older "$older"
pages newer "$newer"
for _ in $(seq "${PAIRS:-10}"); do
	crawl older "$older"
	crawl newer "$newer"
done
echo "pages: older $(wc -l <older.pages), newer $(wc -l <newer.pages); recall $(comm -12 older.pages newer.pages |
	awk -v all="$(wc -l <older.pages)" 'END { printf "%.5f", NR / all }')"
paste older.seconds newer.seconds | awk '
	{ older += $1 + $2; newer += $3 + $4; ratio[NR] = ($3 + $4) / ($1 + $2) }
	END {
		for (i = 1; i <= NR; i++)
			for (j = i + 1; j <= NR; j++)
				if (ratio[j] < ratio[i]) { t = ratio[i]; ratio[i] = ratio[j]; ratio[j] = t }
		median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
		printf "CPU of %d pairs: older %.2f s, newer %.2f s; ratio of the sums %.3f, median %.3f, from %.3f to %.3f\n", NR, older,
			newer, newer / older, median, ratio[1], ratio[NR]
	}'
