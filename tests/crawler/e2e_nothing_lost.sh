#!/bin/sh
# SIGKILL at random instants of crawls that visit their pages again, of exports and of compactions: a store that was killed has the
# pages, links, visits and archived answers of one that never was; a file of an export is the one from before or a whole new one; and
# a compaction leaves a whole store. KILLS: of each kind; SEED: of the instants and of what changes.
. "$(dirname "$0")/../tap.sh"
needs jq python3 sqlite3
plan 12
kills=${KILLS:-5} seed=${SEED:-1}

# random FROM TO: a whole number; each call another one
calls=0
random() {
	calls=$((calls + 1))
	number_drawn=$(awk -v s="$seed" -v c="$calls" -v from="$1" -v to="$2" 'BEGIN {
		x = s * 7919 + c * 104729
		for (i = 0; i < 5; i++) x = (x * 16807 + 11) % 2147483647
		print from + x % (to - from + 1) }')
}

# more: whether there are kills to come; one that came too late is made up for by another; counts the rounds as $i
more() {
	[ "$killed" -lt "$kills" ] && [ "$i" -lt $((kills * 4)) ] && i=$((i + 1))
}

# kill_at MOST COMMAND...: the command, killed at one of its first calls that change a file, as is drawn, and counted
killed=0
kill_at() {
	random 1 "$1"
	shift
	killed_at "$number_drawn" "$@" && killed=$((killed + 1))
}

sound() { "$lycosa" store verify --store "$1" >verify.out 2>&1 || { echo "$1 is not sound"; cat verify.out; } >>problem; }

# --- refreshing: two stores of one site, of which one is never killed

mkdir site
# page N WORDS: page N, which leads to the two behind it
page() {
	for k in 1 2; do echo "<a href=$((($1 + k) % 48))>x</a>"; done >"site/$1.new"
	echo "<title>$1</title>$2" >>"site/$1.new"
	mv "site/$1.new" "site/$1"
}
for i in $(seq 0 47); do page $i "the first"; done
python3 "$top/tests/refresh/changing_server.py" port site requests.log &
servers="$servers $!"
wait_for port . || exit 1
site=http://127.0.0.1:$(cat port)

"$lycosa" crawl --store whole --warc whole --delay 0 --parallel-per-host 4 -q "$site/0" >out 2>problem
cp -r whole killed
for file in whole-*; do cp "$file" "killed${file#whole}"; done
[ "$(awk '$1 == "crawled" { print $2 }' out)" = 48 ]
result $? "a site is crawled"

refresh() { "$lycosa" crawl --store "$1" --warc "$1" --refresh --delay 0 --parallel-per-host 4 -q >"$1.out" 2>&1; }

# change ROUND: some pages have other words, one is gone, one has moved, and one leads to a page that is new
change() {
	for k in 1 2 3; do
		random 1 47
		page "$number_drawn" "version $1"
	done
	random 1 47
	rm -f "site/$number_drawn"
	random 1 47
	echo "moved $site/0" >"site/$number_drawn"
	page 0 "version $1"
	[ "$1" -gt 40 ] || { echo "<a href=new$1>x</a>" >>site/0; echo "new $1" >"site/new$1"; }
}

# facts STORE: all that its visits have found, but for times and ids. A page that was crawled before a kill has been visited by the refresh
# behind it, too, and found as it was: this says the same as a crawl alone.
facts() {
	"$lycosa" export --store "$1" --pages --to jsonl | jq -c 'if .state == "crawled" and .now == null then .now = "there" | .now_digest = .digest | .changes = 0 else . end |
		[.url, .state, .status, .depth, .found_on, .digest, .now, .now_digest, .changes]' | LC_ALL=C sort
	"$lycosa" export --store "$1" --changes --to jsonl | jq -c '[.url, .number, .now, .status, .bytes, .digest, .target]' | LC_ALL=C sort
	"$lycosa" store dump --store "$1"
}

refresh whole
refresh killed
: >lost
i=0
while more; do
	change "$i"
	refresh whole || cat whole.out >>problem
	kill_at 60 "$lycosa" crawl --store killed --warc killed --refresh --delay 0 --parallel-per-host 4 -q >killed.out 2>&1
	sound killed
	refresh killed || cat killed.out >>problem
	facts whole >whole.facts
	facts killed >killed.facts
	diff whole.facts killed.facts >differ || { echo "after kill $i:"; head -n 5 differ; } >>lost
done
[ ! -s problem ] && [ "$(wc -l <whole.facts)" -gt 150 ]
result $? "after each of $kills kills of a refresh the store is sound, and the next refresh ends"
mv lost problem
verdict "pages, links and every change are those of a store that was never killed"
[ "$killed" = "$kills" ]
result $? "refreshes were killed while they ran"

# answers PREFIX: of an archive, without the 304s and robots.txt
answers() { "$build/tests/archive/warc_bodies" "$1"-*.warc.gz | awk -F '\t' '$2 != 304 && $1 !~ /robots/' | LC_ALL=C sort -u; }
{
	answers whole >whole.answers
	answers killed | LC_ALL=C comm -23 whole.answers - | sed 's/^/lost: /'
	[ "$(wc -l <whole.answers)" -gt $((48 + kills)) ] || echo "the archive has $(wc -l <whole.answers) answers"
	"$lycosa" store verify --store killed --warc killed 2>&1 | grep -v 'is sound\|has all of it'
} >problem 2>&1
verdict "and so are the archived answers"

# --- exporting a store that is being crawled and visited again
"$lycosa" graph generate --nodes 4000 --arcs-per-node 6 --rng-seed 6 --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls
# crawl ARGUMENTS
crawl() {
	"$lycosa" crawl "$@" --store big -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 8 --parallel-per-host 8 -q
}
crawl "$(head -n 1 web.urls)" --max-pages 2000 >out 2>>problem
# busy [COMMAND]: a crawl without an end, by way of the command
busy() {
	via=${*:-exec}
	# shellcheck disable=SC2086 # words
	$via "$lycosa" crawl --store big --refresh --forever --visits 20000000 --max-pages 4000 -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--parallel 8 --parallel-per-host 8 -q
}

# whole_file FORM FILE: it has at least the 4,000 pages or so of its store, and a last row that is whole
whole_file() {
	case $1 in
	sqlite) n=$(sqlite3 "$2" 'PRAGMA integrity_check; SELECT count(*) FROM pages' 2>&1 | sed -n '1s/^ok$//; 2p; 1p' | tr -d '\n') ;;
	jsonl) n=$(jq -r .id "$2" 2>&1 | tail -n 1) ;;
	csv) n=$(python3 -c 'import csv, sys; rows = list(csv.reader(open(sys.argv[1], newline=""))); print(len(rows) if len(set(map(len, rows))) == 1 and open(sys.argv[1], "rb").read()[-2:] == b"\r\n" else "broken")' "$2") ;;
	esac
	[ "$n" -ge 1900 ] 2>/dev/null || echo "$2 is no whole export: $n" >>problem
}

killed=0
for form in csv jsonl sqlite; do
	"$lycosa" export --store big --pages --to $form big.$form 2>>problem
	cp big.$form was.$form
done
background busy >busy.out 2>&1
crawler=$!
servers="$servers $crawler"
i=0
while more; do
	form=$(echo csv jsonl sqlite | cut -d ' ' -f $((i % 3 + 1)))
	[ $form = sqlite ] && calls_made=300 || calls_made=3
	kill_at $calls_made "$lycosa" export --store big --pages --to $form big.$form >out 2>&1
	cmp -s big.$form was.$form || whole_file $form big.$form
	cp big.$form was.$form
	rm -f big.$form.*.part
done
verdict "after each of $kills kills of an export its file is the one from before or a whole one"
[ "$killed" = "$kills" ]
result $? "exports were killed while they ran"
kill -0 $crawler 2>>problem && kill -INT $crawler && wait $crawler
[ $? = 17 ] || cat busy.out >>problem
sound big
verdict "the crawl knows nothing of it, and its store is sound"

# the crawl is killed while it is exported: the export ends, and has all that was there when it began
for i in $(seq "$kills"); do
	before=$("$lycosa" store info --store big --json | jq .pages)
	random 20 150
	busy at_call "kill:$number_drawn" >busy.out 2>&1
	form=$(echo csv jsonl sqlite | cut -d ' ' -f $((i % 3 + 1)))
	while kill -0 $pid 2>/dev/null; do
		"$lycosa" export --store big --pages --to $form big.$form >out 2>&1 || cat out >>problem
	done
	wait $pid 2>/dev/null # the shell tells that it was killed
	whole_file $form big.$form
	[ "$n" -ge "$((before - 1))" ] || echo "the export has $n pages of $before" >>problem
	sound big
done
verdict "an export of a crawl that is killed meanwhile is whole, $kills times, and so is the store"

# --- compacting a store with visits
"$lycosa" store compact --store big >out 2>&1
cp -r big large
all_of() {
	"$lycosa" store dump --store "$1"
	"$lycosa" export --store "$1" --pages
	"$lycosa" export --store "$1" --changes
}
all_of big >before
killed=0 i=0
while more; do
	kill_at 30 "$lycosa" store compact --store big >out 2>&1
	sound big
	all_of big | cmp - before >>problem 2>&1
done
verdict "after each of $kills kills of a compaction the store is sound, and has all that it had"
[ "$killed" = "$kills" ]
result $? "compactions were killed while they ran"
"$lycosa" store compact --store big >out 2>&1 && [ ! -e big/compacting ] && crawl --max-pages 4000 >out 2>&1
[ $? = 0 ] || cat out >>problem
sound big
verdict "what a kill has left is cleared, and the crawl goes on"
