#!/bin/sh
# A site that means harm to terminals, logs and reports: all that a crawl shows or writes of it is
# text, a line what was a line.
. "$(dirname "$0")/../tap.sh"
needs python3 jq
plan 9

mkfifo stay
python3 "$top/tests/fetch/hostile_server.py" <stay >server.out 2>server.err &
servers="$servers $!"
exec 3>stay # the server ends when this does
wait_for server.out '^listening on' || { cat server.err >&2; exit 1; }
port=$(sed -n 's/^listening on 127.0.0.1://p' server.out)

# harmless FILE: nothing in it that a terminal would obey: no control character but line feed and
# TAB, no C1, none that turns the direction of writing, and UTF-8 throughout
harmless() {
	LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$1" | od -c | head -n 2 | grep -v '^0000000$' |
		sed "s/^/a control character in $1: /"
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || echo "$1 is no UTF-8"
	LC_ALL=C grep -n "$(printf '\302[\200-\237]\|\342\200[\252-\256]')" "$1" | sed "s/^/an unseen character in $1: /"
}

# crawl ARGUMENTS
crawl() {
	"$lycosa" crawl http://site.test/ --store crawl -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--parallel 4 --per-host 4 --tries 2 "$@"
}

crawl -v --progress log --log log.jsonl --order order --rejected rejected --warc archive --reject-regex bidi \
	--metrics 0 --timing >summary 2>talk
status=$?
cp talk problem
[ $status = 0 ] && [ "$(awk '$1 == "crawled" { print $2 }' summary)" -ge 15 ]
result $? "a hostile site is crawled"
{
	[ ! -e owned ] && [ ! -e ../owned ] || echo "a file was made"
	ls -A . | grep -vx 'crawl\|.*\.warc\.gz\|.*\.cdxj\|log.jsonl\|order\|rejected\|summary\|talk\|problem\|stay\|server\.[a-z]*'
} >problem
verdict "and makes no file"
for file in talk summary order rejected log.jsonl; do harmless $file; done >problem
verdict "talk, summary, order, rejected and log are text"
jq -es 'all(.[]; (.url | test("^http://[!-~]+$")) and (.host | test("^[!-~]+$")))' log.jsonl >jq.out 2>problem &&
	[ "$(wc -l <log.jsonl)" = "$(jq -c . log.jsonl | wc -l)" ]
result $? "each line of the log is JSON, each URL printable ASCII"
{
	[ "$(wc -l <order)" = "$(grep -c '^http://[!-~]*$' order)" ] || cat order
	[ "$(wc -l <rejected)" = "$(grep -c '^http://[!-~]*	[a-z]*$' rejected)" ] || cat rejected
	[ "$(jq -r 'select(.event == "crawled").url' log.jsonl | sort | tr -d '\n')" = "$(sort order | tr -d '\n')" ] ||
		echo "log and order differ"
} >problem
verdict "each URL is on a line of its own"
{
	for verb in dump info verify; do
		"$lycosa" store $verb --store crawl >"$verb.out" 2>&1 || cat "$verb.out"
		harmless "$verb.out"
	done
	grep -q 'owned.*	' dump.out || echo "no hostile page is in the store"
	"$lycosa" store info --store crawl --json >info.json && jq -e . info.json >/dev/null || echo "info is no JSON"
} >problem
verdict "store dump, info and verify are text"
{
	while read -r url; do
		"$lycosa" store explain --store crawl "$url" >explained 2>&1 || { echo "$url"; cat explained; }
		harmless explained
	done <order
	"$lycosa" store explain --store crawl "$(printf 'http://site.test/\033[2J\nx')" >explained 2>&1
	harmless explained
} >problem
verdict "store explain is text"
{
	named=$(printf 'new\n\033[31mx')
	"$lycosa" crawl "$(printf 'ht\033[2Jtp://\n')" --store "$named" >said 2>&1
	"$lycosa" crawl http://127.0.0.1:1/ --store "$named" --progress none >>said 2>&1
	"$lycosa" crawl http://127.0.0.1:1/ --store "$named" --dry-run >>said 2>&1 || cat said
	"$lycosa" crawl http://127.0.0.1:1/ --store "$named" --print-config >settings 2>&1 || cat settings
	grep -v '^#' settings | grep -v ' = '
	harmless said
	harmless settings
} >problem
verdict "what the command line names is shown as text"

crawl --log - --max-pages 100 --reject-regex bidi --progress none >out 2>talk
crawl --dry-run --reject-regex bidi >plan 2>>talk
mkfifo pipe
{
	background head -n 1 pipe >first
	crawl --store fresh --log pipe --progress none >summary 2>>talk || cat talk
	grep -q '^crawled	[12][0-9]' summary || cat summary
	for file in out plan talk; do harmless $file; done
} >problem
verdict "a log whose reader goes does not end the crawl"
