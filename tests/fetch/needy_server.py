"""Pages that need images, styles and a font: needy_server.py PAGES PORTFILE LOG. Page i links to 2i+1, 2i+2 and 7i+3. 'localhost' is
the site's other host. /many needs 1,500 images, and page 5 one of 600,000 bytes. Each request becomes a line of LOG: the time in seconds, the host, the path."""
import http.server
import os
import sys
import time

pages = int(sys.argv[1])


def page(i):
    port = server.server_port
    links = "".join(f"<a href=/{k}>{k}</a> " for k in (2 * i + 1, 2 * i + 2, (7 * i + 3) % pages) if k < pages)
    return (f"<!doctype html><title>{i}</title><link rel=stylesheet href=/style.css><p>page {i} {links}"
            f"<img src=/img/{i % 50}.png><img src=http://localhost:{port}/img/{i % 20}.png><img src=/private/{i % 50}.png>"
            f"<img src=/rejected/{i % 50}.png><a href=/img/3.png>three</a><img src=http://10.1.2.3/x.png>" +
            ("<img src=/img/large.png>" if i == 5 else ""))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # an answer in one piece, or each one waits for an acknowledgement

    def do_GET(self):
        with open(sys.argv[3], "a") as f:
            f.write(f"{time.time():.4f} {self.headers['Host'].split(':')[0]} {self.path}\n")
        path, kind, status = self.path, "text/html", 200
        if path == "/robots.txt":
            kind, body = "text/plain", "User-agent: *\nDisallow: /private/\n"
        elif path == "/start":
            port = server.server_port
            body = f"<a href=http://localhost:{port}/limited>l</a><a href=/1>1</a><img src=http://localhost:{port}/img/1.png>"
        elif path == "/limited":
            status, body = 429, "later"
        elif path == "/many":
            body = "".join(f"<img src=/img/many{i}.png>" for i in range(1500))
        elif path == "/style.css":
            kind, body = "text/css", "@import 'next.css'; p{background:url(/img/paper.png)}"
        elif path == "/next.css":
            kind, body = "text/css", f"@font-face{{src:url(http://localhost:{server.server_port}/own.woff)}} @import 'deep1.css';"
        elif path.startswith("/deep"):
            n = int(path[5:-4])
            kind, body = "text/css", f"@import 'deep{n + 1}.css';"
        elif path[1:].isdigit():
            body = page(int(path[1:]))
        elif path.startswith(("/img/", "/own", "/private/", "/rejected/")):
            kind, body = "image/png", "image " + self.headers["Host"].split(":")[0] + path
            body = body.ljust(600000 if path == "/img/large.png" else 0)
            time.sleep(0.002)
        else:
            status, body = 404, "none"
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status == 429:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[2] + ".new", "w") as f:
    f.write(str(server.server_port))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
