"""A server that does harm, for e2e_evil.sh: python3 evil_server.py CERTIFICATE KEY

Over HTTP/1.1, plain and in TLS, "/" links to a page for each fault. Over HTTP/2 each fault has a port
of its own, as its frames are written by hand. Says on stdout "http PORT", "https PORT", a line
"endless FAULT" for each fault of HTTP/1.1 that a time limit alone ends, to which "/" has no link, and a
line "h2 FAULT PORT" each, then "ready". Ends when stdin does."""
import gzip
import socket
import ssl
import struct
import sys
import threading
import time

LINE = b"<p><a href='/fine'>and so on</a>\n"


# --- HTTP/1.1: what follows a request for /NAME

def head(*lines):
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + b"".join(x + b"\r\n" for x in lines) + b"\r\n"


def forever(send, piece, pause=0):
    while True:
        send(piece)
        if pause:
            time.sleep(pause)


def whole(body, *lines):
    return lambda send: send(head(b"Content-Length: %d" % len(body), *lines) + body)


def then(first, after):
    def run(send):
        send(first)
        after(send)
    return run


def stay(send):
    time.sleep(36000)


def moved(to):
    return lambda send: send(b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % to)


def bomb(size):
    return gzip.compress(b"\0" * size)


FAULTS = {
    "silent": stay,
    "drop": lambda send: None,
    "garbage": lambda send: send(bytes(range(256)) * 100),
    "half-head": lambda send: send(b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "drip": then(head(), lambda send: forever(send, b".", 0.1)),
    "drip-head": then(b"HTTP/1.1 200 OK\r\n", lambda send: forever(send, b"X: y\r\n", 0.1)),
    "stall": then(head(b"Content-Length: 1000") + LINE, stay),
    "short": lambda send: send(head(b"Content-Length: 1000") + LINE),
    "no-length": lambda send: send(head(b"Content-Length: many") + LINE),
    "negative": lambda send: send(head(b"Content-Length: -1") + LINE),
    "two-lengths": lambda send: send(head(b"Content-Length: 5", b"Content-Length: 6") + LINE),
    "huge-length": then(head(b"Content-Length: 99999999999") + LINE, stay),
    "bad-chunk": lambda send: send(head(b"Transfer-Encoding: chunked") + b"3\r\nabc\r\nzz\r\n"),
    "huge-chunk": lambda send: send(head(b"Transfer-Encoding: chunked") + b"f" * 40 + b"\r\nabc"),
    "open-chunk": lambda send: send(head(b"Transfer-Encoding: chunked") + b"5\r\nabc"),
    "endless-chunks": then(head(b"Transfer-Encoding: chunked"),
                           lambda send: forever(send, b"1000\r\n" + b"x" * 4096 + b"\r\n")),
    "endless-chunk-line": then(head(b"Transfer-Encoding: chunked"), lambda send: forever(send, b"1;" + b"a" * 4096)),
    "bad-gzip": whole(b"this is not packed at all", b"Content-Encoding: gzip"),
    "bad-br": whole(b"\x07" * 100, b"Content-Encoding: br"),
    "bad-zstd": whole(b"\x28\xb5\x2f\xfd" + b"\xff" * 50, b"Content-Encoding: zstd"),
    "cut-gzip": whole(gzip.compress(LINE * 1000)[:-100], b"Content-Encoding: gzip"),
    "bomb": whole(bomb(64 << 20), b"Content-Encoding: gzip"),
    "bomb-in-bomb": whole(gzip.compress(bomb(64 << 20)), b"Content-Encoding: gzip, gzip"),
    "many-codings": whole(LINE, b"Content-Encoding: " + b", ".join([b"gzip"] * 50)),
    "endless-head": then(b"HTTP/1.1 200 OK\r\n", lambda send: forever(send, b"X-Filler: and so on\r\n" * 50)),
    "endless-line": then(b"HTTP/1.1 200 OK\r\nX: ", lambda send: forever(send, b"y" * 4096)),
    "endless-interim": lambda send: forever(send, b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 20),
    "endless-body": then(head(), lambda send: forever(send, LINE * 100)),
    "huge": whole(LINE * 200000),
    "loop": moved(b"/loop"),
    "ring": moved(b"/ring-b"),
    "ring-b": moved(b"/ring"),
    "chain-0": None,  # to chain-1 and so on
    "nowhere": moved(b"http://"),
    "foreign": moved(b"file:///etc/passwd"),
}
ENDLESS = ["silent", "stall", "drip", "drip-head", "endless-chunk-line"]


def serve_one(connection):
    stream = connection.makefile("rb")
    while True:
        request = stream.readline(65536)
        while stream.readline(65536).strip():
            pass
        if not request:
            return
        name = request.split(b" ")[1].decode("latin1")[1:]
        if name == "":
            links = "".join("<a href='/%s'>x</a>\n" % fault for fault in FAULTS if fault not in ENDLESS)
            connection.sendall(head(b"Content-Length: %d" % len(links)) + links.encode())
        elif name.startswith("chain-"):
            moved(b"/chain-%d" % (int(name[6:]) + 1))(connection.sendall)
        elif name == "fine":
            whole(b"fine")(connection.sendall)
        elif name in FAULTS:
            FAULTS[name](connection.sendall)
            if not name.startswith(("loop", "ring", "nowhere", "foreign")):
                return
        else:
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


# --- HTTP/2: frames by hand, after the request's HEADERS on stream 1

DATA, HEADERS, RST, SETTINGS, PUSH, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 9
END_STREAM, END_HEADERS = 1, 4


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """Literal, neither indexed nor Huffman-coded."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


OK200 = b"\x88" + field(b"content-type", b"text/html")
ANSWER = frame(HEADERS, END_HEADERS, 1, OK200)


def h2(*fields):
    return frame(HEADERS, END_HEADERS, 1, OK200 + b"".join(fields))


H2_FAULTS = {
    "silent": stay,
    "close": lambda send: None,
    "reset": lambda send: send(frame(RST, 0, 1, struct.pack(">I", 2))),
    "goaway": lambda send: send(frame(GOAWAY, 0, 0, struct.pack(">II", 0, 1))),
    "stall": then(ANSWER + frame(DATA, 0, 1, LINE), stay),
    "drip": then(ANSWER, lambda send: forever(send, frame(DATA, 0, 1, b"."), 0.1)),
    "cut": lambda send: send(ANSWER + frame(DATA, 0, 1, LINE)),
    "endless-data": then(ANSWER, lambda send: forever(send, frame(DATA, 0, 1, b"x" * 8192))),
    "endless-empty-data": then(ANSWER, lambda send: forever(send, frame(DATA, 0, 1) * 100)),
    "endless-continuation": then(frame(HEADERS, 0, 1, OK200),
                                 lambda send: forever(send, frame(CONTINUATION, 0, 1, field(b"x-filler", b"y" * 100)))),
    "empty-continuation": then(frame(HEADERS, 0, 1, OK200),
                               lambda send: forever(send, frame(CONTINUATION, 0, 1) * 50)),
    "endless-interim": lambda send: forever(send, frame(HEADERS, END_HEADERS, 1, b"\x08\x03103") * 20),
    "endless-pings": lambda send: forever(send, frame(PING, 0, 0, b"12345678") * 20),
    "endless-settings": lambda send: forever(send, frame(SETTINGS, 0, 0) * 20),
    "big-frame": then(b"\xff\xff\xff\0\0\0\0\0\1" + b"x" * 70000, stay),
    "stream-zero": lambda send: send(frame(DATA, 0, 0, LINE)),
    "wrong-stream": then(frame(HEADERS, END_HEADERS, 7, OK200), stay),
    "bad-hpack": lambda send: send(frame(HEADERS, END_HEADERS, 1, b"\xff\xff\xff\xff\xff\xff\xff")),
    "no-status": lambda send: send(frame(HEADERS, END_HEADERS, 1, field(b"content-type", b"text/html"))),
    "lying-length": lambda send: send(h2(field(b"content-length", b"5")) + frame(DATA, END_STREAM, 1, LINE)),
    "short": lambda send: send(h2(field(b"content-length", b"5000")) + frame(DATA, END_STREAM, 1, LINE)),
    "push": then(frame(PUSH, END_HEADERS, 1, struct.pack(">I", 2) + OK200), stay),
    "bomb": lambda send: [send(h2(field(b"content-encoding", b"gzip")))] +
            [send(frame(DATA, 0, 1, bomb(16 << 20)[:16000]))] + [time.sleep(36000)],
    "bad-gzip": then(h2(field(b"content-encoding", b"gzip")) + frame(DATA, END_STREAM, 1, b"not packed"), stay),
    "loop": then(frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x08\x03302" + field(b"location", b"/")), stay),
    "not-http2": lambda send: send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
}


def read_exactly(connection, n):
    got = b""
    while len(got) < n:
        piece = connection.recv(n - len(got))
        if not piece:
            raise OSError
        got += piece
    return got


def serve_h2(fault):
    def serve(connection):
        read_exactly(connection, 24)
        connection.sendall(frame(SETTINGS, 0, 0))
        while True:
            start = read_exactly(connection, 9)
            read_exactly(connection, int.from_bytes(start[:3], "big"))
            if start[3] == SETTINGS and not start[4] & 1:
                connection.sendall(frame(SETTINGS, 1, 0))
            elif start[3] == HEADERS:
                H2_FAULTS[fault](connection.sendall)
                return
    return serve


# --- TLS that is none

def tls_silent(connection):
    time.sleep(36000)


def tls_garbage(connection):
    connection.recv(10000)
    connection.sendall(b"\x16\x03\x03\xff\xff" + b"x" * 70000)


# ---

def listen(context, serve):
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)

    def handle(connection):
        try:
            with connection:
                connection.settimeout(36000)
                if context:
                    connection = context.wrap_socket(connection, server_side=True)
                serve(connection)
        except (OSError, ValueError, IndexError):
            pass

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def tls(protocol):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols([protocol])
    return context


print("http", listen(None, serve_one))
print("https", listen(tls("http/1.1"), serve_one))
for name in ENDLESS:
    print("endless", name)
for name in H2_FAULTS:
    print("h2", name, listen(tls("h2"), serve_h2(name)))
print("h2 tls-silent", listen(None, tls_silent))
print("h2 tls-garbage", listen(None, tls_garbage))
print("ready", flush=True)
sys.stdin.read()
