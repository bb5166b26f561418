"""A server whose pages, URLs and headers mean harm to whoever shows them: python3 hostile_server.py

Says "listening on 127.0.0.1:PORT" and ends when stdin does. What it sends has ESC sequences, control
characters, quotes, line feeds and bytes that are no UTF-8 wherever a crawler could take it over."""
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ESC = b"\x1b]0;owned\x07\x1b[2J\x1b[31m"
LINKS = [
    b"/plain",
    b"/%1b%5b2Jescape",
    b"/%0a%0d%09control%00",
    b"/" + ESC + b"raw",
    b"/\xff\xfe\xc3(latin",
    b"/a\xe2\x80\xaebidi",
    b"/\xc2\x9b31mc1",
    b"/quote%22\"'<script>alert(1)</script>",
    b"/back\\slash",
    b"/tab\tand\nline",
    b"/%E2%80%8B%u1234?q=\x1b[1m&\"=\\",
    b"/fragment#\x1b[0m",
    b"/moved",
    b"/moved-raw",
    b"/folded",
    b"/charset",
    b"/status",
    b"/gone%0aX-Injected:%20yes",
    b"http://h\x1b[31m.test/",
    b"http://user:pass\x1b@site.test/user",
    b"javascript:alert('\x1b')",
    b"{}${IFS}$(touch%20owned)`touch%20owned`",
    b"/..%2f..%2f..%2fowned",
    b"//site.test:80\x07/port",
]


def page():
    title = b"<title>" + ESC + b'"\\\n\xff\x00\x9b</title>'
    return (b"<html><head>" + title + b"<meta name=description content='" + ESC + b"'></head><body>" +
            b"\n".join(b'<a href=\'' + x.replace(b"'", b"&#39;") + b"'>" + ESC + b"</a>" for x in LINKS))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path
        body = page() if path == "/" else ESC + b"\xff\x00 a page " + path.encode("latin-1")
        head = [b"HTTP/1.1 200 " + ESC]
        kind = b"text/html; charset=utf-8"
        if path == "/robots.txt":
            kind, body = b"text/plain", b"# " + ESC + b"\nUser-agent: *\nDisallow: /secret" + ESC + b"\xff\n"
        elif path == "/moved":
            head = [b"HTTP/1.1 302 Found", b"Location: /to%0a%1b[31m\"x"]
        elif path == "/moved-raw":
            head = [b"HTTP/1.1 302 Found", b"Location: /to-" + ESC + b"\xff\"raw"]
        elif path == "/folded":
            head += [b"X-Folded: one\r\n two\r\n\t" + ESC, b"ETag: \"\x1b[31m\\\"\xff\""]
        elif path == "/charset":
            kind = b"text/html; charset=\"\x1b[31m\\\"utf-7"
        elif path == "/status":
            head = [b"HTTP/1.1 599 " + ESC + b"\xff"]
        elif "gone" in path:
            head = [b"HTTP/1.1 404 Not Found"]
        head += [b"Content-Type: " + kind, b"Content-Length: %d" % len(body)]
        self.wfile.write(b"\r\n".join(head) + b"\r\n\r\n" + body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
