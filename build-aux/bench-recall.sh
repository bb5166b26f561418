#!/bin/bash
# make bench-live SETS="small apache full uci": what crawls with the trap detectors find, defer and skip on real
# sites, over HTTP. A set is one of build-aux/live-sites.tsv, crawled from a page that leads to all its sites, or uci:
# 8,317 stored pages of a university (../shared/data), crawled from a page of each component of their graph.
#
# It needs nginx, jq, and the packages of Debian 12, which are downloaded by apt-get, but not installed.
#
#   bench-recall.sh BUILD_FOLDER DIR SET...     DIR keeps the sites
#   POLICIES="bfs opic ieca partial-pagerank"
#
# Three tables, separated by empty lines:
#   recall        the share of the pages found without detectors that a crawl to the end finds with them; a line for
#                 all sites and one for each site that lacks a page. `contents`: the same, pages of equal bytes counted once
#   duplicates    the share of pages with the bytes of an earlier page, at half the budget
#   detectors     each detector alone: pages deferred, those of them that no other page has the bytes of, pages
#                 skipped, CPU in ms for 1,000 pages, and peak memory
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(readlink -f "$1") && lycosa=$build/lycosa && mkdir -p "$2" && cd "$2" || exit 1
dir=$PWD
shift 2
policies=${POLICIES:-bfs opic ieca partial-pagerank}
# shellcheck source=build-aux/live-sites.sh
. "$here/live-sites.sh"
command -v jq >/dev/null || fail "jq is missing: on Debian, apt-get install jq"

# crawl NAME ARGUMENTS: the URL and digest of each page, in the order in which they came, are then in NAME.pages
crawl() {
	name=$1
	shift
	rm -rf run/*
	echo 0 >peak
	watch_peak "$lycosa" &
	watch=$!
	(
		cd run || exit 1
		TIMEFORMAT='%U %S'
		time "$lycosa" crawl "${where[@]}" --store store --delay 0 --parallel 16 --parallel-per-host 16 --log log \
			"$@" -q >summary 2>../talk
	) 2>seconds
	kill $watch
	jq -r 'select(.event == "crawled") | [.url, .digest] | @tsv' run/log >"$name.pages"
	[ -s "$name.pages" ] || fail "a crawl found no page; $dir/talk has its messages"
	cp run/summary "$name.summary"
}

count() { awk -v name="$2" '$1 == name { print $2 }' "$1.summary"; }

# off [DETECTOR]: the arguments that turn all detectors but one off
off() {
	for detector in $detectors; do
		[ "$detector" = "${1:-}" ] || printf -- '--trap-opt %s=0 ' "$detector"
	done
}

# recall SET POLICY: of the pages in all.pages, those in some.pages
recall() {
	sites | cut -f 1 >names
	awk -F '\t' -v OFS='\t' -v set="$1" -v policy="$2" -v skipped="$(count some skipped)" '
		# of http://127.0.1.N:PORT/ the name of site N; else the host
		function site(url, part) {
			split(url, part, /[:\/]+/)
			return sub(/^127\.0\.1\./, "", part[2]) ? (part[2] in name ? name[part[2]] : "index") : part[2]
		}
		FILENAME == "names" { name[FNR] = $1; next }
		FILENAME == "some.pages" { found[$1] = bytes[$2] = 1; next }
		{
			all[site($1)]++
			if ($1 in found) had[site($1)]++
			if (!seen[$2]++) { contents++; if ($2 in bytes) kept++ }
		}
		END {
			for (s in all) { pages += all[s]; got += had[s] }
			print set, "all", policy, pages, got, sprintf("%.5f", got / pages), sprintf("%.5f", kept / contents), skipped
			for (s in all)
				if (had[s] < all[s])
					print set, s, policy, all[s], had[s] + 0, sprintf("%.5f", had[s] / all[s]), "-", "-"
		}' names some.pages all.pages
}

# share NAME: of the pages in NAME.pages, those with the bytes of an earlier one
share() { awk -F '\t' 'seen[$2]++ { n++ } END { printf "%.3f", n / NR }' "$1.pages"; }

# alone SET DETECTOR
alone() {
	# shellcheck disable=SC2046 # words
	crawl some --policy bfs $(off "$2")
	jq -r 'select(.event == "put-off").url' run/log | sort -u >put_off
	awk -F '\t' -v OFS='\t' -v set="$1" -v detector="$2" -v seconds="$(cat seconds)" -v peak="$(cat peak)" \
		-v skipped="$(count some skipped)" '
		FILENAME == "put_off" { off[$1] = 1; n++; next }
		{ times[$2]++; digest[$1] = $2; pages++ }
		END {
			for (url in off)
				vain += url in digest && times[digest[url]] == 1
			split(seconds, s, " ")
			print set, detector, n + 0, vain + 0, skipped, sprintf("%.0f", (s[1] + s[2]) * 1e6 / pages), sprintf("%.0f", peak / 1024)
		}' put_off some.pages
}

# start_uci: as start_sites, for the stored pages
start_uci() {
	stop_sites
	mkdir -p run
	shared=$(sed -n 's/^SHARED_DIR = *//p' "$build/Makefile")/data
	[ -r "$shared/uci-ics-2016-html/uci-ics-2016-html.tar.xz" ] || fail "no shared data 'uci-ics-2016-html' (see --with-shared)"
	[ -d uci ] || { mkdir uci && xz -dc "$shared/uci-ics-2016-html/uci-ics-2016-html.tar.xz" | tar xf - -C uci; }
	"$lycosa" replay --graph "$shared/uci-ics-2016/uci-ics-2016.txt.gz" --seeds roots --policy bfs --order order 2>talk |
		sed -n 's/^# seeds_found: //p' >found
	gzip -dc "$shared/uci-ics-2016/uci-ics-2016.urls.gz" >urls
	head -n "$(cat found)" order | awk 'NR == FNR { url[NR - 1] = $0; next } { print url[$1] }' urls - >seeds
	rm -f listening
	"$lycosa" serve --pages uci --port "$port" >listening &
	server=$!
	trap stop_sites EXIT
	for _ in $(seq 300); do [ -s listening ] && break; sleep 0.1; done
}

# start SET: its server; `where` are then the arguments that say what is crawled
start() {
	if [ "$1" = uci ]; then
		start_uci
		# nobody serves https there
		where=(--seeds "$dir/seeds" -D ics.uci.edu --connect-to "::127.0.0.1:$port" --no-robots --reject-regex '^https:' --total 8317)
	else
		sets=$1
		[ -n "$(sites)" ] || fail "no set '$1': the sets are small, apache, full and uci"
		start_sites
		where=("$seed" -H --accept-regex "$only_sites" -R "$no_pages" --allow-private)
	fi
}

# judge SET
judge() {
	start "$1"
	# shellcheck disable=SC2046 # words
	crawl all --policy bfs $(off)
	half=$(($(wc -l <all.pages) / 2))
	for policy in $policies; do
		crawl some --policy "$policy"
		recall "$1" "$policy" >>recall
	done
	for policy in $policies; do
		# shellcheck disable=SC2046 # words
		crawl without --policy "$policy" --max-pages "$half" $(off)
		crawl with --policy "$policy" --max-pages "$half"
		printf '%s\t%s\t%d\t%s\t%s\n' "$1" "$policy" "$half" "$(share without)" "$(share with)" >>duplicates
	done
	for detector in none $detectors; do alone "$1" "$detector" >>alone; done
}

printf 'set\tsite\tpolicy\tpages\tfound\trecall\tcontents\tskipped\n' >recall
printf 'set\tpolicy\tbudget\tshare_without\tshare_with\n' >duplicates
printf 'set\tdetector\tput_off\twithout_a_duplicate\tskipped\tms_per_1000\tpeak_mb\n' >alone
for set in "$@"; do judge "$set"; done
cat recall
echo
cat duplicates
echo
cat alone
