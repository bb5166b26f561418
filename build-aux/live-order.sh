#!/bin/bash
# make live-order: how soon policies find the hot pages of real sites, over HTTP. Each site is crawled alone, one page at a time,
# with default flags but for the delay, under each policy, and measured by the PageRank of a crawl of the whole site without trap
# detectors.
#
#   SETS="small apache full" POLICIES="echo scout opic bfs" live-order.sh LYCOSA DIR
#   SITES=TABLE    other sites than those of live-sites.tsv, in the same columns. A folder without packages lies in DIR/root
#
# It needs nginx and jq, and for the sites of live-sites.tsv the packages of Debian 12, which apt-get downloads into DIR.
#
# A row has the site, its pages, and of the tenth of them with the highest PageRank the share that is among the first 5, 10 and 20%
# of the pages that the policy took; `cpu` are the seconds of the whole crawl. `replay` is the number of pages that the live crawl took
# in the order of a replay of the whole site. The last rows have the means over the sites.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
lycosa=$(readlink -f "$1") table=$(readlink -f "${SITES:-$here/live-sites.tsv}") && mkdir -p "$2" && cd "$2" || exit 1
dir=$PWD
sets=${SETS:-small apache full}
# shellcheck source=build-aux/live-sites.sh
. "$here/live-sites.sh"
command -v jq >/dev/null || fail "jq is missing: on Debian, apt-get install jq"
policies=${POLICIES:-echo scout opic bfs}
mkdir -p whole

# crawl STORE FLAGS: crawls the site of the file `starts`; the URLs of its pages, in their order, are then in the file `pages`
crawl() {
	store=$1
	shift
	rm -rf "$store" log
	(
		TIMEFORMAT='%U %S'
		time "$lycosa" crawl --seeds starts --store "$store" --accept-regex "$only_sites" -R "$no_pages" --allow-private --delay 0 \
			--log log "$@" -q >summary 2>messages
	) 2>seconds
	jq -r 'select(.event == "crawled").url' log >pages
	[ -s pages ] || fail "a crawl of $name found no page; $dir/messages has its messages"
}

# found: the shares of the hot pages of `ranked` in the first pages of the list `pages`
found() {
	awk '
		NR == FNR { url[++n] = $1; next }
		FNR == 1 { for (i = 1; i <= n / 10; i++) hot[url[i]] = 1; all = int(n / 10) }
		$1 in hot { hits++; delete hot[$1] }
		{ at[FNR] = hits }
		END { printf "%.3f\t%.3f\t%.3f", at[int(n / 20)] / all, at[int(n / 10)] / all, at[int(n / 5)] / all }' ranked pages
}

# replayed POLICY: the pages that a replay of the whole crawl takes as the list `pages` has them
replayed() {
	"$lycosa" replay --graph "whole/$name" --seeds entries --policy "$1" --order ids -q >messages 2>&1 || fail "no replay of $name; see $dir/messages"
	awk 'FILENAME == "ids" { id[FNR] = $1; next } FILENAME == "urls" { url[$1] = $2; next }
		same == FNR - 1 && url[id[FNR]] == $1 { same++ }
		END { print same + 0 }' ids urls pages
}

judge() {
	tr ' ' '\n' <<<"$starts" | sed "s|^|http://127.0.1.$n:$port|" >starts
	if [ ! -e "whole/$name" ]; then
		off=()
		for detector in $detectors; do off+=(--trap-opt "$detector=0"); done
		crawl "whole/$name" --policy bfs "${off[@]}"
	fi
	"$lycosa" rank --graph "whole/$name" --all -q | grep '^[0-9]' | cut -f 1,3 >urls
	"$lycosa" graph subgraph --graph "whole/$name" --crawled --to csr -q crawled.csr 2>messages || fail "no graph of $name; see $dir/messages"
	"$lycosa" rank --graph crawled.csr --top 10000000 -q | grep '^[0-9]' | cut -f 1 |
		awk 'NR == FNR { url[$1] = $2; next } { print url[$1] }' urls - >ranked
	awk 'NR == FNR { id[$2] = $1; next } $1 in id { print id[$1] }' urls starts >entries
	for policy in $policies; do
		crawl store --policy "$policy"
		printf '%s\t%d\t%s\t%s\t%s\t%s\n' "$name" "$(wc -l <ranked)" "$policy" "$(found)" \
			"$(awk '{ print $1 + $2 }' seconds)" "$(replayed "$policy")"
	done
}

start_sites
printf 'site\tpages\tpolicy\tat5\tat10\tat20\tcpu\treplay\n'
n=0
sites >all_sites
while IFS=$'\t' read -r name _ starts _ <&3; do
	n=$((n + 1))
	judge
done 3<all_sites | tee rows || exit
awk -F '\t' '
	{ n[$3]++; five[$3] += $4; ten[$3] += $5; twenty[$3] += $6; cpu[$3] += $7 }
	END { for (p in n) printf "mean\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.1f\t-\n", n[p], p, five[p] / n[p], ten[p] / n[p], twenty[p] / n[p], cpu[p] }' rows
