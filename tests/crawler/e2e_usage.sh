#!/bin/sh
# What the owner of a page asks of those who use it is recorded with the page: by headers, by meta elements and by robots.txt, in a store that
# is exported, resumed with --previous, and read by another crawl.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/archive/browser.sh" # for $python
[ -n "$python" ] || skip_all "no python 3.10"
plan 3
cat >server.py <<'END'
import http.server
PAGES = {
    "/": ({}, '<a href="/header">a</a><a href="/meta">b</a><a href="/art/x">c</a><a href="/plain">d</a><a href="/both">e</a><a href="/mine">f</a>'),
    "/header": ({"X-Robots-Tag": "noai, NOIMAGEAI", "Content-Usage": "search=y"}, "h"),
    "/meta": ({"TDM-Reservation": "1"}, '<meta name="robots" content="noarchive, noai">'),
    "/art/x": ({}, "x"),
    "/plain": ({}, "p"),
    "/both": ({"X-Robots-Tag": "otherbot: noai"}, '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="x">'),
    "/mine": ({"X-Robots-Tag": "lycosa: none"}, "m"),
}
ROBOTS = "User-agent: *\nDisallow: /secret\nContent-Usage: train-ai=n\nContent-Usage: /art/ train-ai=y, search=n\nContent-Usage: /plain nonsense\n"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        headers, body = PAGES.get(self.path, ({}, ""))
        body = ROBOTS if self.path == "/robots.txt" else body
        self.send_response(304 if self.headers.get("If-None-Match") else 200)
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("ETag", '"1"')
        if not self.headers.get("If-None-Match"):
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if not self.headers.get("If-None-Match"):
            self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on", server.server_port, flush=True)
server.serve_forever()
END
background "$python" server.py >port 2>server.err
servers="$servers $!"
wait_for port '^listening' $!
port=$(sed 's/listening on //' port)
# usage STORE: each path with what is asked
usage() { "$lycosa" export --store "$1" --pages --to jsonl | sed -n 's|.*"url":"http://[^/]*\(/[^"]*\)".*"usage":"\([^"]*\)".*|\1 \2|p' | sort; }
cat >wanted <<'END'
/ train-ai=n
/art/x train-ai=y, search=n
/both train-ai=n, tdm-reservation=1
/header noai, noimageai, train-ai=n, search=y
/meta noarchive, noai, train-ai=n, tdm-reservation=1
/mine noindex, train-ai=n
/plain train-ai=n
END
"$lycosa" crawl "http://127.0.0.1:$port/" --store one --delay 0 -q >out 2>problem
usage one | diff wanted - >problem
verdict "headers, meta elements and robots.txt are recorded with each page"
"$lycosa" crawl "http://127.0.0.1:$port/" --store two --previous one --delay 0 -q >out 2>problem
"$lycosa" export --store two --pages | grep -c ',crawled,,304,' >n
[ "$(cat n)" = 7 ] || echo "$(cat n) pages are as before" >>problem
usage two | diff wanted - >>problem
verdict "a page that has not changed since asks what it asked before"
"$lycosa" crawl "http://127.0.0.1:$port/" --store three --no-robots --delay 0 -q >out 2>problem
usage three | grep -q 'train-ai' && usage three >problem
[ "$(usage three | wc -l)" = 4 ] || usage three >>problem
verdict "robots.txt asks nothing where it is not read"
