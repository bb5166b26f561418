"""Writes archives that are odd but legal, and some that are damaged, into the folder named first: each has a page http://NAME.test/1 with a
link to /2 unless its row says something else. Prints the links of all, as the rows have them. Of what programs seldom write, each row has one thing."""
import base64, gzip, hashlib, io, json, os, struct, sys, warnings, zipfile, zlib

folder, links = sys.argv[1], []
RESPONSE, PLAIN = "application/http;msgtype=response", "application/warc-fields"
CHUNKED, HTML = "Transfer-Encoding: chunked", "Content-Type: text/html"


def record(kind, uri, block, media=RESPONSE, *more, date="2024-05-06T07:08:09Z", end="\r\n"):
    lines = ["WARC/1.1", "WARC-Type: " + kind, "WARC-Record-ID: <urn:uuid:%s>" % hashlib.md5(block + uri.encode()).hexdigest(), "WARC-Date: " + date]
    lines += ["WARC-Target-URI: " + uri] * bool(uri) + ["Content-Type: " + media] * bool(media) + list(more) + ["Content-Length: %d" % len(block)]
    return (end.join(lines) + 2 * end).encode() + block + 2 * end.encode()


def http(body=b'<a href="/2">x</a>', *fields, status="HTTP/1.1 200 OK", end="\r\n"):
    return (end.join((status, *(fields or (HTML,)))) + 2 * end).encode() + body


def put(name, data, *want):
    """`want`: pairs of paths; by default /1 leads to /2."""
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)
    host = "http://%s.test" % name.split(".")[0]
    links.extend(host + a + "," + host + b for a, b in want or [("/1", "/2")])


def page(name, block=None, path="/1", kind="response", media=RESPONSE, *more, **others):
    return record(kind, "http://%s.test%s" % (name, path), http() if block is None else block, media, *more, **others)


def plain(name, block=None, *more, **others):
    put(name + ".warc", record("warcinfo", "", b"software: odd\r\n", PLAIN) + page(name, block, "/1", "response", RESPONSE, *more, **others))


def chunks(body, n=7):
    return b"".join(b"%x;a=b\r\n%s\r\n" % (len(body[i:i + n]), body[i:i + n]) for i in range(0, len(body), n)) + b"0\r\nX: y\r\n\r\n"


def sha1(body):
    return hashlib.sha1(body).digest()


packed = gzip.compress
link, noise = b'<a href="/2">x</a>', b"".join(b"%x" % (i * i * 7919) for i in range(3000))

# records, their headers and dates
plain("lines-lf", http(end="\n"), end="\n")
put("lines-cr-cr-lf.warc", page("lines-cr-cr-lf", http(end="\r\r\n"), end="\r\r\n"))
put("blank-lines.warc", b"\r\n\r\n" + page("blank-lines"))
put("folded.warc", record("response", "", http(), "", "Content-Type: application/http;\r\n msgtype=response", "WARC-Target-URI:\r\n\thttp://folded.test/1"))
put("brackets.warc", record("response", "<http://brackets.test/1>", http()))
put("of-1969.warc", page("of-1969", date="1969-07-20T20:17:40Z"))
put("of-a-year.warc", page("of-a-year", date="2023") + page("of-a-year", http(b"<a href=/3>x</a>"), date="2022-12"))
put("of-nanoseconds.warc", page("of-nanoseconds", date="2024-05-06T07:08:09.123456789Z"))
put("later-first.warc", page("later-first") + page("later-first", http(b"<a href=/3>x</a>"), date="2023-05-06T07:08:09Z"))
put("typeless.warc", page("typeless", media=""))
put("credentials.warc", record("response", "HTTP://user:word@credentials.test:80/1#there", http()))
put("browser.warc", page("browser") + b"".join(record("resource", "urn:%s:http://browser.test/1" % kind, b"<a href=/3>x</a>", "text/html") for kind in ("text", "thumbnail", "pageinfo")))
put("by-words.warc", page("by-words") + page("by-words", b"via: http://a.test/\r\noutlink: http://b.test/ L a/@href\r\n", "/1", "metadata", PLAIN) + page("by-words", b"x", "/1", "conversion", "text/plain"))
put("as-resource.warc", page("as-resource", link, "/1", "resource", "text/html"))
# answers
plain("http-2", http(status="HTTP/2 200"))
plain("interim", b"HTTP/1.1 103 Early Hints\r\nLink: </9>; rel=preload\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + http())
plain("chunks", http(chunks(link), HTML, CHUNKED))
plain("joined", http(link, HTML, CHUNKED))
plain("chunks-packed", http(chunks(packed(link)), HTML, "Content-Encoding: GZip", CHUNKED))
plain("packed-twice", http(packed(zlib.compress(link)), HTML, "Content-Encoding: deflate", "Content-Encoding: gzip"))
plain("unpacked", http(link, HTML, "Content-Encoding: br"))
plain("gzip-cut", http(packed(link + noise)[:-900], HTML, "Content-Encoding: gzip"), "WARC-Truncated: length")
plain("deflate-cut", http(zlib.compress(link + noise)[:-900], HTML, "Content-Encoding: deflate"), "WARC-Truncated: time")
plain("deflate-bare", http(zlib.compress(link)[2:-4], HTML, "Content-Encoding: deflate"))
plain("in-members", http(packed(link[:7]) + packed(link[7:]) + b"\0\0", HTML, "Content-Encoding: gzip"))
# the same again
digest, profile = "WARC-Payload-Digest: sha1:" + base64.b32encode(sha1(link)).decode(), "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
revisit = lambda name, *more: page(name, b"", "/3", "revisit", "", profile, *more)
put("repeats.warc", page("repeats", None, "/1", "response", RESPONSE, digest) + revisit("repeats", "WARC-Payload-Digest: SHA-1:" + sha1(link).hex()), ("/1", "/2"), ("/3", "/2"))
put("repeats-later.warc", revisit("repeats-later", digest) + page("repeats-later", None, "/1", "response", RESPONSE, digest), ("/1", "/2"), ("/3", "/2"))
put("repeats-a-url.warc", page("repeats-a-url") + revisit("repeats-a-url", "WARC-Refers-To-Target-URI: http://repeats-a-url.test/1"), ("/1", "/2"), ("/3", "/2"))
named = page("repeats-a-record").replace(b"WARC-Date", b"Warc-Record-ID: <urn:x>\r\nWARC-Date", 1).replace(b"WARC-Record-ID", b"X-ID", 1)
put("repeats-a-record.warc", named + revisit("repeats-a-record", "WARC-Refers-To: <urn:x>"), ("/1", "/2"), ("/3", "/2"))
old = page("repeats-a-time", http(b"<a href=/8>x</a>"), date="2020-01-01T00:00:00.5Z")
then = revisit("repeats-a-time", "WARC-Refers-To-Target-URI: http://repeats-a-time.test/1", "WARC-Refers-To-Date: 2020-01-01T00:00:00Z")
put("repeats-a-time.warc", then + old + page("repeats-a-time"), ("/1", "/2"), ("/3", "/8"))
undigested = revisit("repeats-undigested", digest, "WARC-Refers-To-Target-URI: http://repeats-undigested.test/1")
put("repeats-undigested.warc", page("repeats-undigested") + undigested, ("/1", "/2"), ("/3", "/2"))
put("not-modified.warc", page("not-modified") + page("not-modified", http(b"", "ETag: x", status="HTTP/1.1 304 Not Modified"), date="2024-06-06T07:08:09Z"))
# packing
one = page("by-tape")
put("by-tape.warc.gz", packed(one) + b"\0" * 512)
put("cut-anywhere.warc.gz", b"".join(packed(page("cut-anywhere")[i:i + 97]) for i in range(0, 600, 97)))
put("empty-members.warc.gz", packed(b"") + packed(page("empty-members")) + packed(b""))
put("named-gz.warc.gz", page("named-gz"))


def zipped(entries, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in entries.items():
            with z.open(name, "w", force_zip64=True) as entry:
                entry.write(data)
    return out.getvalue()


put("in-zip.wacz", zipped({"archive/a.warc.gz": packed(page("in-zip")), "datapackage.json": b"{}"}))
put("in-zip-packed.wacz", zipped({"archive/a.warc": page("in-zip-packed")}, zipfile.ZIP_DEFLATED))
put("in-zip-in-zip.wacz", zipped({"inner.wacz": zipped({"archive/a.warc": page("in-zip-in-zip")})}))
nested = zipped({"a.warc": page("same-names")})
for level in range(4):
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as z:
        warnings.simplefilter("ignore")
        for i in range(10):
            z.writestr("a.wacz", b"" if i else nested)
    nested = out.getvalue()
put("same-names.wacz", nested)
# damaged
put("bad-first.wacz", zipped({"archive/a.warc": page("bad-first", link)}).replace(b"WARC/1.1", b"VARC/1.1"), ("/bad", "/bad"))
put("bad-empty.warc.gz", b"", ("/bad", "/bad"))
put("bad-noise.warc.gz", b"\x1f\x8b\x08" + noise, ("/bad", "/bad"))
put("bad-zip.wacz", zipped({"archive/a.warc": page("bad-zip")})[:-30], ("/bad", "/bad"))
nested = zipped({"a.warc": page("bad-deep")})
for level in range(700):
    nested = zipped({"a.wacz": nested})
put("bad-deep.wacz", nested, ("/bad", "/bad"))
put("half.warc.gz", packed(page("half")) + packed(page("half", http(), "/3"))[:-20])

print("\n".join(sorted(l for l in links if "/bad" not in l)))
