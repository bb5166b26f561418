#!/bin/bash
# make bench-live: real documentation sites on nginx, each on a loopback address of its own, crawled
# whole by lycosa and by the peers that are installed (wget2, HTTrack), one after another. Pages are
# counted from the server's log, for everybody alike; CPU is user + system of the crawler.
#
#   bench-live.sh LYCOSA DIR     DIR keeps the sites; the packages are fetched by apt-get, not installed
#   POLICIES="bfs opic ieca"  PEERS="wget2 httrack"  ROUNDS=1  WARC=  (yes: the same crawls with an archive, too)
set -u
here=$(cd "$(dirname "$0")" && pwd)
lycosa=$(readlink -f "$1") && mkdir -p "$2" && cd "$2" || exit 1
dir=$PWD sets=small
# shellcheck source=build-aux/live-sites.sh
. "$here/live-sites.sh"

# run NAME COMMAND...: a row of the table
run() {
	name=$1
	shift
	rm -rf run/* && : >access.log
	echo 0 >peak
	watch_peak "$1" &
	watch=$!
	(
		cd run || exit 1
		TIMEFORMAT='%U %S %R'
		time timeout "${LIMIT:-600}" "$@" >/dev/null 2>../talk
	) 2>seconds
	sleep 1
	kill $watch
	awk -v name="$name" -v seconds="$(tail -n 1 seconds)" -v peak="$(cat peak)" '
		$3 ~ /\/robots.txt$/ { next }
		{ asked++ }
		$1 == 200 && $2 ~ /^text\/html|xhtml/ { html++; pages += !seen[$3]++ }
		END {
			split(seconds, s, " ")
			printf "%s\t%.3f\t%d\t%d\t%d\t%.1f\t%.0f\n", name, pages ? (s[1] + s[2]) * 1000 / pages : 0,
				pages, html - pages, asked, s[3], peak / 1024
		}' access.log
}

run_all() {
	for policy in ${POLICIES:-bfs opic ieca}; do
		crawl=("$lycosa" crawl "$seed" -H --accept-regex "$only_sites" -R "$no_pages"
			--allow-private --store store --delay 0 --parallel 16 --parallel-per-host 16 --policy "$policy" -q)
		run "lycosa $policy" "${crawl[@]}"
		[ -n "${WARC:-}" ] || continue
		run "lycosa $policy, WARC" "${crawl[@]}" --warc archive
		run "lycosa $policy, WARC 1" "${crawl[@]}" --warc archive --warc-level 1
	done
	# as many pages with the limits of traps as without, and at what cost
	off=()
	for detector in $detectors; do off+=(--trap-opt "$detector=0"); done
	run "lycosa bfs, traps off" "$lycosa" crawl "$seed" -H --accept-regex "$only_sites" -R "$no_pages" "${off[@]}" \
		--allow-private --store store --delay 0 --parallel 16 --parallel-per-host 16 --policy bfs -q
	for peer in ${PEERS:-wget2 httrack}; do
		command -v "$peer" >/dev/null || { echo "# $peer is not installed"; continue; }
		case $peer in
		wget2)
			run wget2 wget2 -q --no-config -r -l inf -H --accept-regex "$only_sites" --filter-urls -R "$no_pages" \
				--max-threads=16 --robots=off --no-compression --no-cookies --no-hsts --no-http2 --tries=1 \
				--ignore-tags=img,script,link,source,video,audio,embed,object,input,body,table,td \
				--progress=none --delete-after "$seed"
			;;
		httrack)
			filters=()
			for suffix in ${no_pages//,/ }; do filters+=("-*.$suffix"); done
			run httrack httrack "$seed" -O . -q -%v0 -p1 -c32 -%c10000 -A1000000000 --disable-security-limits \
				-%q -C0 -I0 -s0 -r9999 -R0 -T10 -K0 -%P0 -b0 -Q "-*" "+127.0.1.*" "${filters[@]}"
			;;
		esac
	done
}

start_sites
printf 'crawler\tcpu_s_per_1000\tpages\ttwice\trequests\tseconds\tpeak_mb\n'
for _ in $(seq "${ROUNDS:-1}"); do run_all; done
