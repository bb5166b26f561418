"""A site whose look depends on all that a page can need: shown_site.py FOLDER makes it, and shown_site.py FOLDER PORTFILE LOG
serves it on loopback, where 'localhost' is its other host. Each request becomes a line of LOG."""
import glob
import http.server
import os
import shutil
import struct
import sys
import time
import zlib


def png(path, colour, size=40):
    row = b"\0" + bytes(colour) * size
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(row * size)) + chunk(b"IEND", b""))


COLOURS = {"src": (200, 0, 0), "set": (0, 160, 0), "style": (0, 0, 200), "inline": (200, 160, 0), "attribute": (120, 0, 160),
           "imported": (0, 160, 160), "poster": (90, 60, 30), "late": (250, 100, 180), "other": (20, 20, 20), "frame": (140, 200, 90),
           "base": (255, 80, 0), "background": (220, 240, 220), "odd (1)": (60, 60, 120), "icon": (1, 2, 3)}


def make(folder, other):
    for name in ("css", "img", "js", "fonts", "sub/deep"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for name, colour in COLOURS.items():
        png(os.path.join(folder, "img", name + ".png"), colour)
    fonts = sorted(glob.glob("/usr/share/fonts/**/*.ttf", recursive=True), key=lambda p: ("Mono" not in p, p))
    if fonts:
        shutil.copy(fonts[0], os.path.join(folder, "fonts", "own.ttf"))
    files = {
        "index.html": f"""<!doctype html><html><head><meta charset=utf-8><title>Shown</title>
<link rel=stylesheet href="css/main?v=3"><link rel=icon href=img/icon.png><link rel=preload as=image href=img/late.png>
<style>@import url("css/second.css"); #in {{ background: url(img/inline.png) }}</style><script src=js/write.js></script></head>
<body background=img/background.png><h1>Grüße from a page</h1>
<img src=img/src.png alt=""><img src=nowhere.png srcset="img/set.png 1x" alt=""><picture><source srcset="img/style.png"><img src=nowhere.png></picture>
<div id=in></div><div class=sheet></div><div class=second></div><div style="background:url('img/attribute.png')"></div><div class=odd></div>
<video poster=img/poster.png width=40 height=40></video><img id=late alt=""><img src="http://{other}/img/other.png" alt="">
<svg width=40 height=40><image href="img/frame.png" width=40 height=40 /></svg><img src=drawing width=40>
<p id=told></p><iframe src=sub/frame.html width=300 height=120></iframe> <iframe src=sub/based.html width=300 height=120></iframe>
<p><a href=two.html>two</a> <a href=three.html>three</a></p><script>document.getElementById('late').src = 'img/late.png'; tell()</script></body></html>""",
        "two.html": '<!doctype html><link rel=stylesheet href="css/main?v=3"><h1>Two</h1><img src=img/src.png><a href=index.html>home</a>',
        "three.html": "<!doctype html><link rel=preload as=image href=img/late.png><img id=a><p>set by a script</p>"
                      "<script>document.getElementById('a').src = '/img/late.png'</script>",
        "js/write.js": "function tell() { document.getElementById('told').textContent = 'a script has said this' }",
        "css/main?v=3": """@charset "utf-8"; @import 'imported.css'; @font-face { font-family: own; src: url(../fonts/own.ttf) }
body { font: 16px own, sans-serif; margin: 10px } h1 { color: #036 } div { width: 40px; height: 40px; display: inline-block }
.sheet { background: url( "../img/style.png" ) } .odd { background: url(../img/odd\\ \\(1\\).png) }""",
        "css/imported.css": "div.second { background: url(../img/imported.png); border: 2px solid #093 }",
        "css/second.css": "p { color: #906; letter-spacing: 1px }",
        "sub/frame.html": "<!doctype html><style>body{background:#ffd}</style><p>in a frame</p><img src=../img/frame.png>",
        "sub/based.html": "<!doctype html><base href=/img/deep/><p>with a base</p><img src=../base.png>",
        "drawing": '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="purple"/></svg>',
    }
    for name, text in files.items():
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # an answer in one piece, or each one waits for an acknowledgement

    def do_GET(self):
        name = self.path.lstrip("/").replace("%20", " ") or "index.html"
        path = os.path.join(folder, name)
        with open(sys.argv[3], "a") as f:
            f.write(f"{time.time():.3f} {self.headers['Host']} /{name}\n")
        is_there = ".." not in name and os.path.isfile(path)
        kind = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".ttf": "font/ttf"}.get(
            os.path.splitext(name)[1], "text/css" if "main" in name else "image/svg+xml")
        body = open(path, "rb").read() if is_there else b"none"
        self.send_response(200 if is_there else 404)
        self.send_header("Content-Type", kind if is_there else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


folder = sys.argv[1]
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
make(folder, f"localhost:{server.server_port}")
with open(sys.argv[2] + ".new", "w") as f:
    f.write(str(server.server_port))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
