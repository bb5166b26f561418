#!/bin/sh
# Measures the simulated web: a crawl of 10 million pages in virtual time, and a live crawl of an endless web.
#
#   bench-simulation.sh LYCOSA FOLDER
#
# It prints rows "what TAB unit TAB figure TAB command". PAGES (1000000) is the length of the live crawl, NODES (11550000, of which 10
# million can be found) the size of the graph. It takes 20 minutes and 3 GB in FOLDER, which is removed.
set -eu
lycosa=$1 dir=$2
pages=${PAGES:-1000000} nodes=${NODES:-11550000} web=7,hosts=100000
rm -rf "$dir"
mkdir -p "$dir"
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT

row() { printf '%s\t%s\t%s\t%s\n' "$@"; }
# user and system time of a process so far, in seconds
cpu_of() { awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$1/stat"; }

# --- virtual time
"$lycosa" graph generate --nodes "$nodes" --arcs-per-node 8 --to csr --write-hosts "$dir/web.hosts" "$dir/web.csr" -q
virtual="replay --policy opic --politeness live,parallel=1000"
"$lycosa" $virtual --graph "$dir/web.csr" --hosts "$dir/web.hosts" --seeds random:100 --tol 1e-2 --timing >"$dir/out" 2>"$dir/err"
cat "$dir/out" "$dir/err" >&2
rm "$dir/web.csr" "$dir/web.hosts"
crawled=$(awk -F '\t' '/^#times/ { c = $5 } END { print c }' "$dir/out")
seconds=$(awk -F '\t' '$1 == "opic" { s = $10 } END { print s }' "$dir/out")
days=$(awk -F '\t' '/^#times/ { s = $4 } END { printf "%.1f", s / 86400 }' "$dir/out")
row "a crawl of $crawled pages in virtual time, which simulates $days days" "pages/s" \
	"$(awk -v c="$crawled" -v s="$seconds" 'BEGIN { print c / s }')" "lycosa $virtual"

# --- the endless web, live
"$lycosa" serve --endless $web --threads 1 --log "$dir/log" >"$dir/listening" &
server=$!
until grep -q popular "$dir/listening"; do sleep 0.1; done
live="crawl -H --delay 100ms --parallel 256 --max-pages $pages"
begin=$(cpu_of $server)
# shellcheck disable=SC2086
"$lycosa" $live --proxy "http://$(sed -n 's/^listening on //p' "$dir/listening")" --store "$dir/store" -q \
	"$(sed -n 's/.* is //p' "$dir/listening")" >"$dir/out" 2>"$dir/err" &
crawler=$!
used=0 anonymous=0
while kill -0 $crawler 2>/dev/null; do
	now=$(cpu_of $crawler 2>/dev/null) && [ -n "$now" ] && used=$now
	now=$(awk '$1 == "RssAnon:" { print $2 }' /proc/$crawler/status 2>/dev/null) && [ -n "$now" ] &&
		[ "$now" -gt $anonymous ] && anonymous=$now
	sleep 0.5
done
wait $crawler
spent=$(awk -v a="$begin" -v b="$(cpu_of $server)" 'BEGIN { print b - a }')
served=$(wc -l <"$dir/log")
cat "$dir/out" >&2
figure() { awk -v name="$1" '$1 == name { print $2 }' "$dir/out"; }
"$lycosa" audit "$dir/log" --endless $web --behind-proxy --delay 100ms >"$dir/audit" || { cat "$dir/audit" >&2; exit 1; }
hosts=$(awk '$2 == "hosts:" { print $3 }' "$dir/audit")
row "a request answered by the endless web, its log included" "ms of CPU" \
	"$(awk -v s="$spent" -v n="$served" 'BEGIN { print s / n * 1000 }')" "lycosa serve --endless $web"
row "a page of the endless web crawled, of $(figure crawled) on $hosts hosts (the audit found no breach)" "ms of CPU" \
	"$(awk -v s="$used" -v n="$(figure crawled)" 'BEGIN { print s / n * 1000 }')" "lycosa $live"
row "memory of that crawl for each of $(figure seen) URLs seen, its hosts and buffers included" "bytes" \
	"$(awk -v k="$anonymous" -v n="$(figure seen)" 'BEGIN { print k * 1024 / n }')" "lycosa $live"
