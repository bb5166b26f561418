"""A site of files that a test may change while it is served, with ETag and Last-Modified.

changing_server.py PORT_FILE FOLDER LOG: /NAME is the file NAME of FOLDER; a file that is missing is 404, and one that begins with
"moved " is a redirect to what follows. Each request is a line "PATH STATUS" of LOG."""
import hashlib
import http.server
import os
import sys

port_file, folder, log = sys.argv[1:]


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, headers=(), body=b""):
        with open(log, "a") as out:
            out.write(f"{self.path} {status}\n")
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = os.path.join(folder, os.path.basename(self.path) or "index")
        try:
            with open(path, "rb") as file:
                body = file.read()
        except OSError:
            return self.answer(404)
        if body.startswith(b"moved "):
            return self.answer(301, [("Location", body[6:].decode().strip())])
        tag = '"' + hashlib.md5(body).hexdigest() + '"'
        kind = "text/xml" if path.endswith(".xml") else "text/html"
        headers = [("Content-Type", kind), ("ETag", tag), ("Last-Modified", self.date_time_string(os.stat(path).st_mtime))]
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, headers)
        return self.answer(200, headers, body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a crawler that was killed


server = Server(("127.0.0.1", 0), Site)
with open(port_file + ".new", "w") as out:
    print(server.server_port, file=out)
os.rename(port_file + ".new", port_file)
server.serve_forever()
