#!/bin/sh
# lycosa archive: pages come back from our own archives and from those of other programs, byte for byte.
. "$(dirname "$0")/../tap.sh"
needs python3 curl
plan 20

cat >site.py <<'PY'
import gzip, sys, zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
pages = {"/": "<title>Home</title><h1>Home</h1><a href=plain>plain</a> <a href=zip>zip</a> <a href=chunks>chunks</a> <a href=deflate>d</a>"
    "<script>var hidden</script><p>two   &#8238;words<p hidden>no<ul><li>one<li>two</ul>", "/plain": "plain " * 900, "/zip": "zip " * 999,
    "/chunks": "<p>chunk \u00e9" * 500, "/deflate": "deflated " * 500}
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        body = pages.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if self.path == "/zip": body = gzip.compress(body)
        if self.path == "/deflate": body = zlib.compress(body)
        if self.path in ("/zip", "/deflate"): self.send_header("Content-Encoding", "gzip" if self.path == "/zip" else "deflate")
        if self.path == "/chunks":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for at in range(0, len(body), 999):
                part = body[at:at + 999]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a): pass
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("listening on 127.0.0.1:%d" % server.server_port, flush=True)
server.serve_forever()
PY
background python3 site.py >server.out
servers="$servers $!"
wait_for server.out listening || exit 1
site=http://127.0.0.1:$(sed 's/.*://' server.out)
names="plain zip chunks deflate"
for name in $names; do curl -s --compressed "$site/$name" >"$name.want"; done
archive() { "$lycosa" archive "$@"; }

"$lycosa" crawl "$site/" --store crawl --warc ours --delay 0 --no-robots -q >summary 2>errors || cat errors
{
	archive list ours-*.warc.gz >listed || echo "status $?"
	[ "$(awk -F '\t' '$3 == "response" && $4 == 200 && $5 == "text/html"' listed | wc -l)" = 5 ] || cat listed
	for name in $names; do
		archive get --url "$site/$name" ours-*.warc.gz | cmp - "$name.want"
		archive get --url "$site/$name" ours-*.cdxj | cmp - "$name.want"
	done
	archive list ours-*.cdxj | cut -f 1-5 >indexed
	cut -f 2,3,4,5 listed | sort >want
	cut -f 2,3,4,5 indexed | sort | diff want - | head -n 4
} >problem 2>&1
verdict "our archive gives the pages that the server sent, by file and by index"

{
	archive get --url "$site/zip" --headers ours-*.warc.gz | head -n 1 | grep -q '^HTTP/1.1 200 OK' || echo "no status line"
	archive text --url "$site/" ours-*.warc.gz >text
	printf 'Home\nplain zip chunks d\ntwo ???words\none\ntwo\n' | diff - text
	[ "$(archive text ours-*.warc.gz | grep -c '"text":"')" = 5 ] || archive text ours-*.warc.gz | cut -c 1-100
} >problem 2>&1
verdict "headers, and the text that a reader sees"

# as other programs write them: bodies as they were sent, revisits, brackets around URLs, bare line feeds behind a record
cat >made.py <<'PY'
import base64, gzip, hashlib, sys, zlib
def sha1(data): return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()
def record(kind, url, date, head, body, more=""):
    block = ("\r\n".join(head) + "\r\n\r\n").encode() + body
    return ("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\n%sContent-Length: %d\r\n\r\n" %
        (kind, url, date, more, len(block))).encode() + block + b"\r\n\r\n"
def chunked(data): return b"".join(b"%X;x=y\r\n%s\r\n" % (len(data[i:i + 70]), data[i:i + 70]) for i in range(0, len(data), 70)) + b"0\r\n\r\n"
def response(name, date, coding, data, chunks=False):
    head = ["HTTP/1.1 200 OK", "Content-Type: text/plain"] + (["Content-Encoding: " + coding] if coding else []) + (
        ["Transfer-Encoding: chunked"] if chunks else [])
    body = chunked(data) if chunks else data
    return record("response", "<http://made.test/%s>" % name, date, head, body, "WARC-Payload-Digest: %s\r\n" % sha1(data))
text = b"the text " * 300
raw = zlib.compressobj(wbits=-15)
out = open(sys.argv[1], "wb")
out.write(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
out.write(response("gzip", "2020-01-01T00:00:00Z", "gzip", gzip.compress(text)))
out.write(response("both", "2020-01-01T00:00:00Z", "gzip", gzip.compress(text), True))
out.write(response("deflate", "2020-01-01T00:00:00Z", "deflate", zlib.compress(text), True))
out.write(response("bare", "2020-01-01T00:00:00Z", "deflate", raw.compress(text) + raw.flush()))
out.write(response("lying", "2020-01-01T00:00:00Z", "gzip", text))
out.write(response("changing", "2020-01-01T00:00:00Z", "", b"first"))
out.write(response("changing", "2021-01-01T00:00:00.5Z", "", b"second"))
out.write(record("revisit", "http://made.test/changing", "2022-01-01T00:00:00Z", ["HTTP/1.1 304 Not Modified"], b"",
    "WARC-Payload-Digest: %s\r\n" % sha1(b"second")))
out.write(response("strange", "2020-01-01T00:00:00Z", "compress", b"unknown"))
def brotli(data): return (len(data) - 1 << 4 | 1 << 20).to_bytes(3, "little") + data + b"\x03"  # a block that is stored, and the end
out.write(response("brotli", "2020-01-01T00:00:00Z", "br", brotli(text[:900])))
out.write(response("brotli-cut", "2020-01-01T00:00:00Z", "br", brotli(text[:900])[:-1]))
out.write(response("dated", "2020-01-01T00:00:00.1259e99Z", "", b"dated"))
open("made.text", "wb").write(text)
PY
python3 made.py made.warc
get() { name=$1; shift; archive get --url "http://made.test/$name" "$@" made.warc; }
{
	for name in gzip both deflate bare lying; do get $name | cmp - made.text || echo "$name"; done
	get gzip --raw | gzip -dc | cmp - made.text
	[ "$(get changing)" = second ] && [ "$(get changing --before 2020-06-01)" = first ] || get changing
	get changing --headers | grep -q '304 Not Modified' || get changing --headers
	head -c 900 made.text >want && get brotli | cmp - want
	get brotli-cut | grep -aq "the text the text" || echo "a cut brotli body is not given as it is"
	[ "$(get strange 2>errors)" = unknown ] && grep -q "in a way that is not known here" errors || cat errors
	archive list --url http://made.test/dated made.warc | grep -q '^2020-01-01T00:00:00.125Z	' || archive list made.warc
	gzip -c made.warc >made.warc.gz
	archive list made.warc.gz | cut -f 1-7 >results
	archive list made.warc | cut -f 1-7 | cmp - results
	python3 - made.warc >later.warc <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"WARC-Type: revisit") - 10
sys.stdout.buffer.write(data[at:data.index(b"WARC/1.0", at + 5)])
PY
	says 19 "name the files from before, too" "$lycosa" archive get --url http://made.test/changing later.warc
	[ "$(archive get --url http://made.test/changing later.warc made.warc)" = second ] || echo "not from both"
} >>problem 2>&1
verdict "bodies are unpacked, and a revisit has the body of before"

# headers as the standard allows them and servers send them, bodies in several codings, and revisits that name a response by URL and time
cat >odd.py <<'PY'
import gzip, zlib
text = b"the text\r\n\r\nand \x00\xff more " * 40
def record(name, block, kind="response", more=b"", type=b"application/http; msgtype=response", date=b"2020-01-01T00:00:00Z"):
    return b"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: http://odd.test/%s\r\nWARC-Date: %s\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (
        kind.encode(), name.encode(), date, more, type, len(block), block)
def http(body, *fields, end=b"\r\n"): return end.join([b"HTTP/1.1 200 OK", b"Content-Type: text/plain", *fields]) + end + end + body
def chunks(data, end=b"\r\n"): return b"".join(b"%x%s%s%s" % (len(data[i:i + 70]), end, data[i:i + 70], end) for i in range(0, len(data), 70))
chunked, gz = b"Transfer-Encoding: chunked", b"Content-Encoding: gzip"
cases = {"bare": http(text, end=b"\n"), "folded": http(gzip.compress(text), b"Content-Encoding:\r\n gzip"), "x-gzip": http(gzip.compress(text), b"content-encoding: X-GZIP"),
    "twice": http(gzip.compress(gzip.compress(text)), b"Content-Encoding: gzip, gzip"),
    "both": http(gzip.compress(zlib.compress(text)), b"Content-Encoding: deflate", gz),
    "transfer": http(chunks(gzip.compress(text)) + b"0\r\n\r\n", b"Transfer-Encoding: gzip, chunked"),
    "trailer": http(chunks(text) + b"0\r\nX: 1\r\n\r\n", chunked), "endless": http(chunks(text), chunked), "cut": http(chunks(text)[:-2], chunked),
    "lf": http(chunks(text, b"\n") + b"0\n\n", chunked), "joined": http(text, chunked), "unpacked": http(text, gz)}
wants = {name: text for name in cases}
for name, body in (("numbers", b"12\r\n3\r\n4\r\n"), ("words", b"face it\nor not\n")):
    cases[name], wants[name] = http(body, chunked), body
records = [record(name, block) for name, block in cases.items()]
def add(name, data, want=text):
    records.append(data)
    wants[name] = want
add("tabs", record("tabs", http(text)).replace(b": ", b":\t", 4))
add("spaces", record("spaces", http(text)).replace(b"\r\nWARC-", b" \t\r\nWARC-", 3))
add("lines", record("lines", http(text), more=b"X: y\r\n Content-Length: 5\r\n\tWARC-Type: request\r\n").replace(b"URI: ", b"URI:\r\n ", 1))
add("upper", record("upper", http(text)).replace(b"WARC-Type: response", b"WARC-TYPE: Response", 1))
add("answer", record("answer", text, type=b"text/plain"))
add("resource", record("resource", http(text), "resource", type=b"text/plain"), http(text))
records.append(record("one", http(text), more=b"WARC-Payload-Digest: sha1:AB\r\n"))
records.append(record("two", http(b"first")))
records.append(record("two", http(b"second"), date=b"2021-01-01T00:00:00Z"))
later = {"date": b"2022-01-01T00:00:00Z", "kind": "revisit"}
add("digest", record("digest", http(b""), more=b"WARC-Payload-Digest: SHA1:ab\r\n", **later))
add("refers", record("refers", http(b""), more=b"WARC-Refers-To-Target-URI: <http://odd.test/two>\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n", **later), b"first")
add("unknown", record("unknown", http(b""), more=b"WARC-Payload-Digest: sha1:CD\r\nWARC-Refers-To-Target-URI: http://odd.test/two\r\n", **later), b"second")
open("odd.warc", "wb").write(b"".join(records))
open("odd.cut.warc.gz", "wb").write(gzip.compress(b"".join(records)) + gzip.compress(record("bare", http(b"later"), date=b"2023-01-01T00:00:00Z"))[:-20])
for name, want in wants.items(): open("want." + name, "wb").write(want)
PY
python3 odd.py
{
	for want in want.*; do
		name=${want#want.}
		archive get --url "http://odd.test/$name" odd.warc >got 2>errors && cmp got "$want" || { echo "$name"; cat errors; }
	done
	archive extract --to odd odd.warc >results
	rm want.answer want.resource # no pages of HTTP
	for want in want.*; do cmp "odd/odd.test/${want#want.}" "$want"; done
} >problem 2>&1
verdict "unusual headers, codings and revisits give the bodies that were sent"

{
	archive get --url http://odd.test/bare odd.cut.warc.gz >got 2>errors
	[ $? -eq 3 ] && cmp got want.bare
	grep -q "^lycosa: .*odd.cut.warc.gz.*cut short; what is printed is the last capture of what can be read" errors || cat errors
	archive get --url http://made.test/gzip odd.cut.warc.gz made.warc >got 2>errors
	[ $? -eq 3 ] && cmp got made.text
	says 3 "cut short" "$lycosa" archive get --url http://odd.test/none odd.cut.warc.gz
} >problem 2>&1
verdict "the last page before damage is printed, and the damage told"

{
	says 19 "the archive has no '$site/none'" "$lycosa" archive get --url "$site/none" ours-*.warc.gz
	says 19 "of that time" "$lycosa" archive get --url "$site/zip" --before 2020-01-01 ours-*.warc.gz
	says 2 "no time" "$lycosa" archive get --url "$site/zip" --before never ours-*.warc.gz
	says 3 "nowhere" "$lycosa" archive list nowhere.warc.gz
	says 2 "is an index: give --url" "$lycosa" archive text ours-*.cdxj
	says 3 "is none of a WARC file" "$lycosa" archive list site.py
	echo 'no index' >x.cdxj
	says 3 "x.cdxj:1: no line of a CDXJ index" "$lycosa" archive list x.cdxj
	# an index that names a file in another folder means the file of this name in its own
	echo 'x 20200101000000 {"url":"http://made.test/x","filename":"../up/made.warc","offset":"0","length":"99999999"}' >x.cdxj
	says 3 "'made.warc' has no page where its index says" "$lycosa" archive get --url http://made.test/x x.cdxj
	sed 's/99999999/2000000000/' x.cdxj >long.cdxj
	says 3 "'made.warc' has no page where its index says" "$lycosa" archive get --url http://made.test/x long.cdxj
} >>problem 2>&1
verdict "what is not there, or is no archive, is told"

# a record of 400 MB of zeros, in 400 KB: it is not read into memory to find that it is no page
{
	python3 - big.warc.gz <<'PY'
import gzip, sys
out = gzip.open(sys.argv[1], "wb")
def add(url, kind, body, times):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n" % kind
    out.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n" % (url, len(head) + times * len(body)) + head)
    for i in range(times): out.write(body)
    out.write(b"\r\n\r\n")
add(b"http://made.test/film", b"video/mp4", bytes(1 << 20), 400)
add(b"http://made.test/page", b"text/html", b"<p>behind", 1)
out.close()
PY
	python3 - "$lycosa" archive text big.warc.gz >text <<'PY'
import resource, subprocess, sys
print(subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, check=True).stdout.decode(), end="")
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if kilobytes > 250000: print(kilobytes, "KB of memory")
PY
	[ "$(wc -l <text)" = 1 ] && grep -q '"text":"behind' text || cat text
} >problem 2>&1
verdict "a large record that is no page takes no memory"

# cut at many places, and with bytes changed: an error or fewer pages, and no harm
{
	first=$(ls ours-*.warc.gz | head -n 1)
	gzip -dc "$first" >whole.warc
	size=$(wc -c <whole.warc)
	for i in $(seq 1 23); do
		head -c $((size * i / 24)) whole.warc >cut.warc
		archive list cut.warc >results 2>errors
		got=$?
		[ $got = 0 ] || [ $got = 3 ] || echo "cut at $i: $got"
		cp whole.warc cut.warc
		printf '\377\n\000' | dd of=cut.warc bs=1 seek=$((size * i / 24)) conv=notrunc 2>/dev/null
		archive text cut.warc >results 2>errors
		got=$?
		[ $got = 0 ] || [ $got = 3 ] || echo "changed at $i: $got"
	done
	archive list whole.warc | cut -f 1-7 >plain
	archive list "$first" | cut -f 1-7 | cmp - plain
} >problem 2>&1
verdict "damage is an error, and a plain file is read as a packed one"

if command -v zstd >/dev/null; then
	zstd -q whole.warc -o whole.warc.zst && archive list whole.warc.zst | cut -f 1-7 | cmp - plain
	result $? "and so is one that is packed by zstd"
else
	skip "and so is one that is packed by zstd" "no zstd"
fi

# what Heritrix writes: records of DNS, of the crawl and of requests between the pages; a page that was the same later is a revisit. Each
# record is a member of its own, and a CDXJ index of pywb, without "sha1:", says where
cat >heritrix.py <<'PY'
import base64, gzip, hashlib, subprocess, sys
page = b"<title>Of Heritrix</title><p>text\xe9"
sha1 = base64.b32encode(hashlib.sha1(page).digest()).decode()
def record(kind, block, content_type, *fields):
    head = ["WARC/1.0", "WARC-Type: " + kind, *fields, "WARC-Record-ID: <urn:uuid:35f7ae4c-0000-0000-0000-000000000000>",
        "Content-Type: " + content_type, "Content-Length: %d" % len(block)]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"
head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page)
first, later = "WARC-Date: 2015-03-04T05:06:07Z", "WARC-Date: 2015-03-05T05:06:07Z"
uri, digest, answer = "WARC-Target-URI: http://made.test/", "WARC-Payload-Digest: sha1:" + sha1, "application/http; msgtype=response"
records = [record("warcinfo", b"software: Heritrix/3.4.0\r\nformat: WARC File Format 1.0\r\n\r\n", "application/warc-fields", first),
    record("response", b"20150304050607\nmade.test.\t60\tIN\tA\t127.0.0.1\n", "text/dns", first, "WARC-Target-URI: dns:made.test"),
    record("response", head + page, answer, first, uri, digest, "WARC-IP-Address: 127.0.0.1"),
    record("request", b"GET / HTTP/1.0\r\nHost: made.test\r\n\r\n", "application/http; msgtype=request", first, uri),
    record("metadata", b"fetchTimeMs: 12\r\noutlink: http://made.test/x L a/@href\r\n\r\n", "application/warc-fields", first, uri),
    record("revisit", head, answer, later, uri + "again", digest, "WARC-Truncated: length", "WARC-Refers-To-Date: 2015-03-04T05:06:07Z",
        "WARC-Refers-To-Target-URI: http://made.test/", "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")]
pack = {"": lambda r: r, ".gz": gzip.compress, ".zst": lambda r: subprocess.run(["zstd", "-qc"], input=r, stdout=subprocess.PIPE, check=True).stdout}
for ending in sys.argv[1:]:
    members, at = [pack[ending](r) for r in records], 0
    with open("heritrix.warc" + ending, "wb") as out, open("index%s.cdxj" % ending, "w") as index:
        for i, member in enumerate(members):
            if i in (2, 5):
                path, day, mime = ("again", "05", "warc/revisit") if i == 5 else ("", "04", "text/html")
                index.write('test,made)/%s 201503%s050607 {"url": "http://made.test/%s", "mime": "%s", "status": "200", "digest": "%s", '
                    '"length": "%d", "offset": "%d", "filename": "heritrix.warc%s"}\n' % (path, day, path, mime, sha1, len(member), at, ending))
            out.write(member)
            at += len(member)
open("heritrix.want", "wb").write(page)
PY
# heritrix ENDINGS...: the pages of such archives, by file and by index
heritrix() {
	python3 heritrix.py "$@"
	for ending in "$@"; do
		for file in heritrix.warc$ending index$ending.cdxj; do
			for url in http://made.test/ http://made.test/again; do
				archive get --url $url $file >got 2>errors && cmp got heritrix.want || { echo "$file: $url"; cat errors; }
			done
			[ "$(archive list $file | grep -c 'http://made.test/.*	sha1:[A-Z2-7]*	heritrix')" = 2 ] || archive list $file
		done
	done >problem 2>&1
}
heritrix "" .gz
verdict "archives of Heritrix, plain and in members of gzip, read back by file and by index"
if command -v zstd >/dev/null; then
	heritrix .zst
	verdict "and so do members of zstd"
else
	skip "and so do members of zstd" "no zstd"
fi

if command -v wget >/dev/null && wget --help | grep -q warc-file; then
	{
		for packed in "" --no-warc-compression; do
			rm -rf wget && mkdir wget && (cd wget && wget -q -r -l 1 -e robots=off --warc-file=theirs $packed "$site/" 2>../errors)
			for name in plain chunks; do archive get --url "$site/$name" wget/theirs.warc* | cmp - "$name.want"; done
			archive list wget/theirs.warc* | grep -q 'metadata://gnu.org' || archive list wget/theirs.warc*
		done
	} >problem 2>&1
	verdict "wget's archives, packed and plain, give the pages that the server sent"
else
	skip "wget's archives, packed and plain, give the pages that the server sent" "no wget with WARC"
fi

samples=$(sed -n 's/^#define TEST_SHARED_DIR *"\([^"]*\)".*/\1/p' "$build/tests/paths.h")/suites/warc_samples
if [ -d "$samples" ]; then
	{
		for file in "$samples"/*.warc "$samples"/*.warc.gz; do
			archive list "$file" 2>/dev/null | awk -F '\t' '$3 == "response" && $7 ~ /^sha1:[A-Z2-7]+$/ && !seen[$2]++ { print $2 "\t" $7 "\t" $1 }' >rows
			while IFS='	' read -r url digest time; do
				before=$(echo "$time" | cut -c 1-19)
				archive get --url "$url" --before "$before" --raw "$file" >raw 2>errors
				is=$(python3 -c 'import base64, hashlib, sys; print("sha1:" + base64.b32encode(hashlib.sha1(sys.stdin.buffer.read()).digest()).decode())' <raw)
				[ "$is" = "$digest" ] && echo ok >>good || echo "$(basename "$file"): $url: $is, not $digest"
			done <rows
		done | grep -v 'trunc.warc'
		[ "$(wc -l <good)" -ge 8 ] || wc -l good
	} >problem 2>&1
	verdict "third-party files read back byte for byte, by the digests that they have"
else
	skip "third-party files read back byte for byte, by the digests that they have" "no shared data (configure --with-shared)"
fi

for file in ours-*.warc.gz ours-*.cdxj; do archive list "$file" --json >"$file.json"; done
python3 -c '
import json, sys
for name in sys.argv[1:]:
    rows = json.load(open(name))["rows"]
    assert len(rows) == 5 and all(row["status"] == 200 for row in rows), rows' ours-*.json
result $? "the list is JSON, too"

# of a file that is damaged, everything around the damage is extracted, and all of the other files
python3 - made.warc <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"http://made.test/deflate")
for name, length in (("endless", b"9223372036854775807"), ("beyond", b"99999999999999999999999"), ("none", b"many")):
    length = b"Content-Length: " + length
    open(name + ".warc", "wb").write(data[:at] + re.sub(rb"Content-Length: \d+", length, data[at:], count=1))
open("other.warc", "wb").write(data.replace(b"made.test", b"next.test"))
PY
{
	for name in endless beyond none; do
		"$lycosa" archive extract --to "$name" $name.warc other.warc >results 2>errors
		[ $? -eq 3 ] || echo "not status 3"
		grep -q "^lycosa: '$name.warc', byte [1-9][0-9]*: .*; what is damaged is left out" errors || cat errors
		tail -n 1 errors | grep -q "^lycosa: .*1 of the files could not be read to their ends" || cat errors
		for page in made.test/gzip made.test/both made.test/bare next.test/gzip next.test/bare; do
			cmp "$name/$page" made.text
		done
		[ ! -e "$name/made.test/deflate" ] || echo "the damaged page of $name.warc"
	done
	sed 's/Content-Length: [0-9]*/Content-Length: -1/' made.warc >first.warc
	"$lycosa" archive extract --to first first.warc >results 2>errors
	[ $? -eq 3 ] && tail -n 1 errors | grep -q "the archive has no page that can be read" || cat errors
	says 3 "cannot open 'nowhere.warc'" "$lycosa" archive extract --to first made.warc nowhere.warc
} >problem 2>&1
verdict "of a damaged file, what stands before and behind the damage is extracted"

# 40,000 pages redirect to a page of which there are 150,000 captures, and which redirects to a page: its captures are gone over once
python3 - <<'PY'
index = open("often.cdxj", "w")
at = 0
def record(url, head, body, time="20200101000000", more=()):
    global at
    block = head + b"\r\n\r\n" + body
    record = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (
        url.encode(), len(block), block)
    out.write(record)
    for key, moment in [(url, time), *more]:
        index.write('x %s {"url":"%s","mime":"text/html","status":"%s","length":"%d","offset":"%d","filename":"often.warc"}\n' % (
            moment, key, head[9:12].decode(), len(record), at))
    at += len(record)
hops = ["http://a.test/hop?%d" % i for i in range(40000)]
with open("often.warc", "wb") as out:
    record("http://a.test/", b"HTTP/1.1 200 OK\r\nContent-Type: text/html", "".join("<a href='%s'>x</a>" % hop for hop in hops).encode())
    record(hops[0], b"HTTP/1.1 302 Found\r\nLocation: /often", b"", more=[(hop, "20200101000000") for hop in hops[1:]])
    record("http://a.test/often", b"HTTP/1.1 302 Found\r\nLocation: /", b"",
        more=[("http://a.test/often", "202001%02d%02d%02d%02d" % (i // 8640 + 1, i // 360 % 24, i // 6 % 60, i % 6 * 10)) for i in range(150000)])
PY
(ulimit -t 30 && archive extract --to often often.cdxj) >results 2>problem || echo "status $?" >>problem
[ "$(grep -o 'href=.index.html' often/a.test/index.html | wc -l)" = 40000 ] || head -c 300 often/a.test/index.html >>problem
verdict "a redirect leads to a page through any number of captures of one URL"

# an index may say anything
awk 'BEGIN {
	for (i = 0; i < 100000; i++)
		print "test,a)/ 20260101000000 {\"url\":\"http://a.test/\",\"mime\":\"warc/revisit\",\"status\":\"200\",\"filename\":\"x\"}"
}' >many.cdxj
(ulimit -t 20 && archive extract --to many many.cdxj) >out 2>problem || echo "status $?" >>problem
mkfifo pipe
echo 'test,a)/ 20260101000000 {"url":"http://a.test/","mime":"text/html","status":"200","length":"9","offset":"0","filename":"pipe"}' >pipe.cdxj
"$lycosa" archive extract --to many pipe.cdxj >out 2>told || echo "status $?" >>problem
grep -q "is left out: 'pipe' has no record" told || cat told >>problem
verdict "100,000 revisits without a response take a moment, and a pipe in place of a file is not waited for"

{
	archive check ours-*.warc.gz >checked 2>&1 || { echo "status $?"; cat checked; }
	[ "$(grep -vc '^#' checked)" = 1 ] || cat checked
	gzip -dc ours-*.warc.gz | archive check - >checked 2>&1 || { echo "stdin: status $?"; cat checked; }
	if command -v wget >/dev/null; then
		wget -q -r -e robots=off --warc-file=theirs --delete-after "$site/" 2>/dev/null || :
		archive check theirs.warc.gz >checked 2>&1 || { echo "wget's: status $?"; cat checked; }
	fi
	# one byte of a body is another, and the digest of the payload no longer holds
	gzip -dc ours-*.warc.gz | sed 's/<h1>Home/<h1>Dome/' >other.warc
	archive check other.warc >checked 2>told && echo "a changed page breaks no rule"
	awk -F '\t' '$4 == "shall" { print $5 ": " $6 }' checked | sort >breaches
	echo "WARC-Payload-Digest: the payload has another digest" | diff - breaches
	grep -q "1 breaches of rules that say 'shall', in [0-9]* records" told || cat told
} >problem
verdict "check finds nothing in our archive and in wget's, and what was changed in a page"

{
	archive index ours-*.warc.gz | diff ours-*.cdxj -
	gzip -dc ours-*.warc.gz >plain.warc
	archive index --to plain.cdxj plain.warc || echo "status $?"
	for name in $names; do archive get --url "$site/$name" plain.cdxj | cmp - "$name.want"; done
	mkdir elsewhere
	says 2 "does not lie in the folder of the index" "$lycosa" archive index --to elsewhere/x.cdxj plain.warc
	gzip -k plain.warc # one member
	says 3 "each record needs a gzip member of its own" "$lycosa" archive index plain.warc.gz
	[ ! -e elsewhere/x.cdxj ] || echo "an index that failed is there"
} >>problem 2>&1
verdict "an index of any WARC file leads to its pages"

{
	archive wacz --to site.wacz ours-*.warc.gz || echo "status $?"
	python3 - site.wacz ours-*.warc.gz <<'PY'
import hashlib, json, sys, zipfile
package, warc = sys.argv[1:]
with zipfile.ZipFile(package) as z:
    assert z.testzip() is None
    assert all(i.compress_type == zipfile.ZIP_STORED for i in z.infolist() if i.filename.startswith(("archive/", "indexes/")))
    about = json.loads(z.read("datapackage.json"))
    assert about["profile"] == "data-package" and about["wacz_version"] == "1.1.1"
    listed = {r["path"]: r for r in about["resources"]}
    assert set(listed) == set(z.namelist()) - {"datapackage.json", "datapackage-digest.json"}, listed
    for path, r in listed.items():
        data = z.read(path)
        assert r["bytes"] == len(data) and r["hash"] == "sha256:" + hashlib.sha256(data).hexdigest() and r["name"] == path.split("/")[-1]
    digest = json.loads(z.read("datapackage-digest.json"))
    assert digest == {"path": "datapackage.json", "hash": "sha256:" + hashlib.sha256(z.read("datapackage.json")).hexdigest()}
    pages = [json.loads(line) for line in z.read("pages/pages.jsonl").decode().splitlines()]
    assert pages[0]["format"] == "json-pages-1.0" and len(pages) == 6, pages
    assert any(p["url"] == about["mainPageUrl"] and p["title"] == "Home" for p in pages[1:])
    assert z.read("archive/" + warc.split("/")[-1]) == open(warc, "rb").read()
    for line in z.read("indexes/index.cdx").decode().splitlines():
        at = json.loads(line.split(" ", 2)[2])
        data = z.read("archive/" + at["filename"])[int(at["offset"]):][:int(at["length"])]
        assert b"WARC-Target-URI: " + at["url"].encode() in __import__("gzip").decompress(data)
PY
	archive list ours-*.warc.gz | cut -f 1-7 >want
	archive list site.wacz | cut -f 1-7 | diff want -
	archive check site.wacz >checked || cat checked
	for name in $names; do archive get --url "$site/$name" site.wacz | cmp - "$name.want"; done
	archive wacz --to again.wacz ours-*.warc.gz && cmp site.wacz again.wacz
	says 2 "would have one name in the WACZ file" "$lycosa" archive wacz --to twice.wacz plain.warc ./plain.warc
	[ ! -e twice.wacz ] || echo "a package that failed is there"
} >>problem 2>&1
verdict "a WACZ file has the archive with sound digests, its index and its pages, and is read as one"
