#!/bin/sh
# A real site, 8,317 pages with the bytes that its server sent, led to loopback: a live crawl under echo takes the order of its
# replay, also when it is killed and resumed.
. "$(dirname "$0")/tap.sh"
shared=$(sed -n 's/^SHARED_DIR = *//p' "$build/Makefile")/data
pages=$shared/uci-ics-2016-html/uci-ics-2016-html.tar.xz
[ -r "$pages" ] || skip_all "no shared data 'uci-ics-2016-html' (see --with-shared)"
needs xz
plan 4

mkdir web && xz -dc "$pages" | tar xf - -C web
serve --pages web
# 300 seeds from everywhere, in the form in which the store has them
cut -f 2 web/index.tsv | grep '^http:' | awk 'NR % 27 == 1' | "$lycosa" parse url canon >seeds
# start STORE: a crawl, in the background as $pid
start() {
	"$lycosa" crawl --seeds seeds --store "$1" -D ics.uci.edu --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
		--policy echo --batch 100 --total 8317 --no-robots --reject-regex '^https:' \
		--trap-opt duplicates=0 --trap-opt mirror=0 --trap-opt session-ids=0 --trap-opt repeats=0 --trap-opt queries=0 \
		--trap-opt depth=0 --trap-opt years=0 --trap-opt past=0 --trap-opt hosts=0 --order "$1.order" -q >"$1.out" 2>problem &
	pid=$!
}
start whole
wait $pid && [ "$(wc -l <whole.order)" -gt 3000 ]
result $? "a real site is crawled under echo ($(wc -l <whole.order) pages)"
"$lycosa" rank --graph whole --by indegree --all 2>>problem | awk -F '\t' '!/^#/ && $1 != "id" { print $1 "\t" $3 }' >named
"$lycosa" replay --graph whole --seeds seeds --policy echo --batch 100 --total 8317 --order ids -q >/dev/null 2>>problem &&
	awk -F '\t' 'NR == FNR { url[$1] = $2; next } { print url[$1] }' named ids | diff whole.order - >>problem
result $? "its replay takes the same order"
kills=0
for i in 1 2 3 4; do
	start broken
	sleep 0.$((3 * i % 10))
	kill -9 $pid 2>/dev/null && kills=$((kills + 1))
	wait $pid 2>/dev/null
done
start broken
wait $pid && [ $kills -ge 2 ] && diff whole.order broken.order >problem
result $? "killed $kills times and resumed, the crawl takes the same order"
"$lycosa" store verify --store broken >problem 2>&1
result $? "and its store is sound"
