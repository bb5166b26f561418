#!/bin/sh
# lycosa store diff and store compact: what changed between two crawls of a site, and files that lose what nobody uses.
. "$(dirname "$0")/../tap.sh"
needs python3
plan 8

cat >site.py <<'PY'
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
words = " ".join("word%d" % i for i in range(40))
def page(links, text): return "<title>%s</title>%s <p>%s %s" % (text, "".join("<a href='%s'>x</a> " % l for l in links), text, words)
first = {"/": page(["/same", "/changed", "/markup", "/gone", "/moved", "/renamed", "/broken", "/twin1", "/twin2"], "home"),
    "/same": page([], "same"), "/changed": page([], "one text"), "/markup": page([], "markup"), "/gone": page([], "gone"),
    "/moved": page([], "moved"), "/renamed": page([], "renamed"), "/broken": page([], "broken"),
    "/twin1": page([], "twins"), "/twin2": page([], "twins")}
second = {"/": page(["/same", "/changed", "/markup", "/gone", "/moved", "/broken", "/new", "/other-name", "/twin1", "/twin3"], "home"),
    "/same": first["/same"], "/changed": page([], "other words altogether"), "/markup": first["/markup"] + "<!-- built today -->",
    "/new": page([], "new"), "/other-name": first["/renamed"], "/there": first["/moved"], "/twin3": first["/twin1"]}
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        site = first if sys.argv[1] == "1" else second
        if sys.argv[1] == "2" and self.path in ("/moved", "/broken"):
            self.send_response(301 if self.path == "/moved" else 500)
            self.send_header("Location", "/there")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = site.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a): pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
PY
for version in 1 2; do
	background python3 site.py $version >server.$version
	servers="$servers $!"
	wait_for server.$version listening || exit 1
	port=$(sed 's/.*://' server.$version)
	"$lycosa" crawl http://site.test/ --store crawl$version --connect-to "::127.0.0.1:$port" --delay 0 --tries 1 --no-robots -q \
		>summary 2>errors || cat errors
done

"$lycosa" store diff crawl1 crawl2 >results 2>errors
{
	cat errors
	grep -v '^# lycosa' results | sed 's|http://site.test||g' | diff - /dev/fd/3 3<<'END'
# earlier: crawl1
# later: crawl2
# new: 2
# gone: 2
# changed: 3
# moved: 2
# failed: 1
# same: 1
# not_compared: 1
change	url	to	words	status	reason
changed	/		other		
failed	/broken			500	status
changed	/changed		other		
gone	/gone			404	status
changed	/markup		same		
moved	/moved	/there			
new	/new				
moved	/renamed	/other-name			
gone	/twin1			404	status
new	/twin3				
END
} >problem 2>&1
verdict "a page is new, gone, changed or moved, and one that was not asked for is not compared"

ln -s crawl1 link
"$lycosa" store diff crawl1 link >results && "$lycosa" store diff link/ crawl1 >twice && diff results twice | grep -v '^[-<>] # [el]\|^[0-9-]' >problem
[ ! -s problem ] && ! grep -v '^#\|^change' results && grep -q '^# same: 10$' results &&
	"$lycosa" store diff crawl1 crawl1 >results && ! grep -v '^#\|^change' results && grep -q '^# same: 10$' results &&
	says 3 "no store in 'nowhere'" "$lycosa" store diff crawl1 nowhere &&
	says 2 "needs EARLIER LATER" "$lycosa" store diff crawl1 && "$lycosa" store diff crawl1 crawl2 --json | grep -q '"moved":2,'
result $? "a store does not differ from itself"

# --- compact: a store that a reader has made large
"$lycosa" graph generate --nodes 3000 --arcs-per-node 6 --rng-seed 6 --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls
crawl() { "$lycosa" crawl "$@" --store kept -H --connect-to "::127.0.0.1:$port" --delay 0 -q >summary 2>errors; }
crawl "$(head -n 1 web.urls)" --max-pages 300
mkfifo pipe
"$lycosa" store dump --store kept >pipe 2>/dev/null &
dump=$!
{ head -c 100 >/dev/null && crawl --max-pages 1200 --keep; cat >/dev/null; } <pipe
wait $dump
"$lycosa" store dump --store kept >before
cp -r kept large
"$lycosa" store compact --store kept >results 2>errors
{
	cat errors
	[ "$(sed -n 's/^bytes_before	//p' results)" = "$(wc -c <large/data.mdb)" ] || cat results
	[ "$(sed -n 's/^bytes_after	//p' results)" = "$(wc -c <kept/data.mdb)" ] || cat results
	[ "$(wc -c <kept/data.mdb)" -lt "$(wc -c <large/data.mdb)" ] || wc -c kept/data.mdb large/data.mdb
	"$lycosa" store dump --store kept | cmp - before
	"$lycosa" store verify --store kept 2>&1 | grep -v 'is sound'
	[ ! -e kept/compacting ] || ls kept
} >problem 2>&1
verdict "a store that is compacted is smaller and says the same"

"$lycosa" store info --store kept | grep ^crawled >before.info
crawl --max-pages 1300 --keep && "$lycosa" store verify --store kept 2>errors && [ "$("$lycosa" store info --store kept |
	sed -n 's/^crawled	//p')" -gt "$(sed 's/.*	//' before.info)" ]
result $? "the crawl goes on with a compacted store"

background "$lycosa" crawl --store kept --connect-to "::127.0.0.1:$port" -H --delay 1 --max-pages 2000 -q >summary 2>&1
crawler=$!
servers="$servers $crawler"
is_writer() { [ "$(cat kept/writer 2>/dev/null)" = $crawler ]; }
wait_until $crawler is_writer
"$lycosa" store compact --store kept >results 2>errors
grep -q "'kept' is in use: process $crawler writes it" errors
result $? "a store that is being crawled is not compacted"
kill -TERM $crawler
wait $crawler

"$lycosa" store dump --store kept >pipe &
dump=$!
{
	head -c 100 >/dev/null
	says 3 "'kept' is in use: process $dump reads it" "$lycosa" store compact --store kept
	got=$?
	cat >/dev/null
} <pipe
wait $dump
[ $got = 0 ] && [ ! -e kept/compacting ]
result $? "nor is one that is being read"

"$lycosa" store dump --store kept >before
for i in $(seq 25); do
	background "$lycosa" store compact --store kept >results 2>&1
	compacting=$!
	sleep 0.00$((i % 10))$((i % 7))
	kill -9 $compacting 2>/dev/null
	wait $compacting 2>/dev/null
	"$lycosa" store verify --store kept >errors 2>&1 || cat errors
done >problem 2>&1
"$lycosa" store dump --store kept | cmp - before >>problem 2>&1
verdict "killed at any time, the store is whole"

{
	"$lycosa" store compact --store kept >results 2>&1 || cat results
	[ ! -e kept/compacting ] || ls kept/compacting
	says 3 "no store in 'nowhere'" "$lycosa" store compact --store nowhere
	size=$(wc -c <large/data.mdb)
	dd if=/dev/zero of=large/data.mdb bs=1 seek=$((size / 2)) count=8192 conv=notrunc 2>/dev/null
	cp large/data.mdb damaged
	"$lycosa" store compact --store large >results 2>&1
	[ $? = 18 ] && cmp damaged large/data.mdb
} >>problem 2>&1
verdict "what a kill has left is cleared, and a damaged store stays as it is"
