#!/bin/sh
# How pages ended, in the words of the one table of outcomes: the same reason in the crawl's summary, its log, its
# list of what was left out, `store info`, `store explain` and `store dump --failed`.
. "$(dirname "$0")/../tap.sh"
plan 12

# site.test: two pages that are there, one that is gone, two that robots.txt forbids, one out of scope
printf '<a href=/1>1</a> <a href=/gone>g</a> <a href=/no/x>x</a> <a href=/no/y>y</a> <a href=http://other.test/>o</a>' >0.html
printf '<a href=/>0</a> <a href=/gone2>g</a>' >1.html
printf 'User-agent: *\nDisallow: /no/\n' >robots
printf '0.html\thttp://site.test/\n1.html\thttp://site.test/1\nrobots\thttp://site.test/robots.txt\n' >index.tsv
serve --pages . --log requests
"$lycosa" crawl http://site.test/ --store st --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
	--rejected rejected --log log.jsonl >summary 2>problem
result $? "a crawl of pages that are there, gone, forbidden and elsewhere"

{
	grep -qx 'failed	2' summary && grep -qx 'failed_404	2' summary || grep failed summary
	grep -qx 'refused_robots	2' summary && grep -qx 'refused_host	1' summary || grep refused summary
} >problem
verdict "the summary says why pages failed and were refused"

"$lycosa" store info --store st >info
{
	grep -qx 'failed_404	2' info && grep -qx 'refused_robots	2' info && grep -qx 'refused_host	1' info ||
		grep 'failed\|refused' info
} >problem
verdict "so does store info"

asked=$(grep -vc robots.txt requests)
grep -qx "tries	$asked" info || { grep tries info; echo "the server was asked for $asked pages"; } >problem
verdict "what robots.txt forbids is no try: tries are what the server was asked for"

"$lycosa" store dump --store st --failed >failed
printf 'http://site.test/gone\tstatus\t404\t1\nhttp://site.test/gone2\tstatus\t404\t1\n' | diff - failed >problem
verdict "store dump --failed lists what failed, why, and after how many tries"
if command -v jq >/dev/null; then
	"$lycosa" store dump --store st --failed --json | jq -r '.rows[] | [.url, .reason, .status, .tries] | @tsv' | diff failed - >problem
	"$lycosa" store verify --store st --json 2>>problem | jq -e '.rows == []' >/dev/null && : >problem
	"$lycosa" store dump --store st --json | jq -r '.rows[] | if .target then [.url, .target] else [.url, .status, .digest // "-"] end | @tsv' >as-text &&
		"$lycosa" store dump --store st | diff as-text - >problem
	verdict "and as JSON; verify, too"
else
	skip "and as JSON; verify, too" "no jq"
fi

"$lycosa" store explain --store st http://site.test/no/x >explained
grep -qx '# error: robots' explained && grep -qx '# because: its robots.txt forbids it' explained &&
	grep -qx '# tries: 0' explained || cat explained >problem
verdict "store explain says that robots.txt forbids a page"

[ "$(cut -f 2 rejected | sort | tr '\n' ' ')" = 'host robots robots ' ] || cat rejected >problem
verdict "the list of what was left out has the same words"

[ "$(jq -r 'select(.event == "refused") | .error' log.jsonl | sort -u)" = robots ] || cat log.jsonl >problem
verdict "the log has the same words"

# a page whose host has had its pages is refused late, for that
"$lycosa" crawl http://site.test/ --store budget --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 \
	--max-per-host 2 --rejected rejected -q >summary 2>problem &&
	grep -qx "refused_budget	$(grep -c '	budget$' rejected)" summary &&
	"$lycosa" store explain --store budget "$(grep -m 1 '	budget$' rejected | cut -f 1)" >explained &&
	grep -qx '# because: its host or domain has had its pages' explained || cat summary explained >>problem
verdict "a page that is refused late keeps its reason"

# pages that are too deep when they are found, and not by a way found later: store info tells what the crawl tells
"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 3 --to edges web.txt 2>/dev/null
serve --graph web.txt
for i in 5 7 10 20 30; do
	echo "http://127.0.0.1:$port/$i"
done >seeds
"$lycosa" crawl --seeds seeds --store ways --delay 0 --parallel 1 --max-depth 4 --policy opic --max-pages 60 \
	--order order -q >summary 2>problem
"$lycosa" store info --store ways >info
grep -e '^crawled	' -e '^refused' -e '^queued' summary | sort >told
grep -e '^crawled	' -e '^refused' -e '^queued' info | sort | diff told - >>problem
while read -r url; do
	"$lycosa" store explain --store ways "$url" | grep 'judged' && break
done <order | grep -q . || echo "no page was judged again" >>problem
"$lycosa" store verify --store ways 2>&1 | grep -v 'is sound$' >>problem
verdict "pages that a shorter way lets in are told of as such"

# why pages fail, a path for each reason: the word and the sentence of the table are true of it
if command -v python3 >/dev/null; then
	background python3 -c 'import http.server, os
class Web(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        to = {"/cookie": "/cookie", "/a": "/b", "/b": "/a", "/empty": "", "/mail": "mailto:x@y.test"}
        if self.path in to or self.path.startswith("/hop"):
            self.send_response(302)
            self.send_header("Location", to[self.path] if self.path in to else "/hop%d" % (int(self.path[4:]) + 1))
            self.send_header("Content-Length", "0")
        elif self.path == "/squeezed":
            self.send_response(200)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", "4")
        else:
            self.send_response(500 if self.path == "/500" else 404)
            self.send_header("Content-Length", "0")
        self.end_headers()
        if self.path == "/squeezed":
            self.wfile.write(b"junk")
    def log_message(self, *a):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
open("odd.new", "w").write(str(server.server_port))
os.rename("odd.new", "odd")
server.serve_forever()'
	servers="$servers $!"
	wait_until $! test -s odd
	odd=http://127.0.0.1:$(cat odd)
	for path in cookie a hop0 empty mail squeezed 500 404; do echo "$odd/$path"; done >odd.seeds
	"$lycosa" crawl --seeds odd.seeds --store odd.store --delay 0 --tries 1 --max-redirect 3 -q >/dev/null 2>odd.err
	while read -r path reason; do
		"$lycosa" store explain --store odd.store "$odd/$path" >explained 2>&1
		grep -q "^# because: $reason" explained || { echo "$path:"; grep '# error\|# because' explained || cat explained; }
	done >problem <<-'END'
		cookie it redirects to itself, or in a circle
		b it redirects to itself, or in a circle
		hop3 its redirects are more in a row than --max-redirect allows
		empty its redirect names no page
		mail its redirect names no page
		squeezed its body is compressed in a way that cannot be undone, or damaged
		500 its server answered with the HTTP status of a failure
		404 its server answered with the HTTP status of a failure
	END
	verdict "each failure has a sentence that is true of it"
else
	skip "each failure has a sentence that is true of it" "no python3"
fi
