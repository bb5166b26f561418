"""A server of the files of a folder, which goes wrong in one way for each first part of the path: data_server.py FOLDER PORTFILE LOG.
/ok/ has ranges; /cut/ ends each answer after a third of the file; /norange/ cuts the first answer and has no ranges; /other/ has another
version after the first answer, which is cut; /misplaced/ answers a range with the file's first bytes; /busy/ answers 503 once;
/moved/ redirects to /ok/; /loop/ redirects to itself; /wrong/ has other bytes;
/never/ cuts every answer, and has no ranges. Each request becomes a line of LOG: the path, the range,
the status."""
import http.server
import os
import sys

folder, seen = sys.argv[1], {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        way, name = self.path.split("/")[1:3]
        times = seen[self.path] = seen.get(self.path, 0) + 1
        if way in ("moved", "loop"):
            self.extra = {"Location": f"/{'ok' if way == 'moved' else 'loop'}/{name}"}
            return self.answer(302, b"")
        try:
            body = open(os.path.join(folder, name), "rb").read()
        except OSError:
            return self.answer(404, b"none")
        if way == "wrong" and not name.endswith("sums"):
            body = body[:-9] + b"another.\n"
        if way == "busy" and times == 1:
            return self.answer(503, b"later")
        third = (len(body) + 2) // 3
        etag = f'"{times if way == "other" else 1}"'
        self.extra = {"ETag": etag}
        asked = self.headers.get("Range", "")
        if not asked or way in ("norange", "never") or self.headers.get("If-Range") != etag:
            return self.answer(200, body, cut=third if way in ("cut", "norange", "other", "never") and (times == 1 or way in ("cut", "never")) else 0)
        first = int(asked[len("bytes="):-1])
        if first >= len(body):
            self.extra["Content-Range"] = f"bytes */{len(body)}"
            return self.answer(416, b"")
        if way == "misplaced":
            first = 0
        self.extra["Content-Range"] = f"bytes {first}-{len(body) - 1}/{len(body)}"
        rest = body[first:]
        self.answer(206, rest, cut=third if way == "cut" and len(rest) > third else 0)

    def answer(self, status, body, cut=0):
        with open(sys.argv[3], "a") as f:
            f.write(f"{self.path} {self.headers.get('Range', '-')} {status}\n")
        self.send_response(status)
        for name, value in getattr(self, "extra", {}).items():
            self.send_header(name, value)
        self.extra = {}
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:cut] if cut else body)
        self.close_connection = bool(cut)

    def log_message(self, *rest):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[2] + ".new", "w") as f:
    f.write(f"{server.server_port}\n")
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
