#!/bin/sh
# Archives of any program as graphs (--graph) and as crawls that go on (lycosa import).
. "$(dirname "$0")/../tap.sh"
needs python3
plan 15

"$lycosa" graph generate --nodes 200 web.txt 2>/dev/null
awk 'BEGIN { for (i = 0; i < 200; i++) print "site.test" }' >web.hosts
serve --graph web.txt --hosts web.hosts --faults redirect=0.15,404=0.1,gzip=0.2,seed=3 --port 0
crawl() { "$lycosa" crawl "$@" --delay 0 --parallel 1 --contact a@b.test --connect-to "::127.0.0.1:$port" -q; }
crawl http://site.test/0 --store own --warc own --order whole.order >summary 2>errors || cat errors
own=$(echo own-*.warc.gz)

# links GRAPH: its links by URL, sorted; messages go to the file `talk`
links() { "$lycosa" graph convert --graph "$1" --to csv links.csv 2>talk && sed '1d; s/^[0-9]*,[0-9]*,//' links.csv | sort; }

links own >own.links
fingerprint() { "$lycosa" graph info --graph "$1" 2>talk | grep -E '^(# fingerprint|nodes|arcs)'; }
fingerprint own >want
fingerprint "$own" | diff want - >problem
[ "$(wc -l <own.links)" -gt 300 ] || echo "few links" >>problem
verdict "an archive of a crawl is the graph of its store, ids and redirects included"

gzip -dc "$own" >plain.warc
mkdir folder && cp "$own" folder/ && printf '%s\n' "$own" >list.txt
for graph in plain.warc folder list.txt 'own-*.warc.gz'; do fingerprint "$graph" | diff want -; done >problem 2>&1
xz -k plain.warc && fingerprint plain.warc.xz | diff want - >>problem
gzip -c plain.warc >one.warc.gz && fingerprint one.warc.gz | diff want - >>problem
verdict "plain, packed in one member, in a folder, a list or a pattern, it is the same graph"

python3 - "$own" >problem 2>&1 <<'PY'
import sys, zipfile
with zipfile.ZipFile("crawl.wacz", "w", zipfile.ZIP_STORED) as z:
    z.write(sys.argv[1], "archive/data.warc.gz")
    z.writestr("datapackage.json", "{}")
PY
fingerprint crawl.wacz | diff want - >>problem
verdict "the archives in a WACZ are read in place"

if command -v wget >/dev/null; then
	(mkdir wget && cd wget && http_proxy=http://127.0.0.1:$port wget -q -r -l inf -e robots=off --warc-file=w http://site.test/0)
	links wget/w.warc.gz | diff own.links - >problem
	verdict "wget's archive of the site gives the links of our own crawl"
else
	skip "wget's archive of the site gives the links of our own crawl" "no wget"
fi

cat >wat.py <<'PY'
import json, re, sys
out = sys.stdout.buffer
for record in re.split(rb"(?m)^(?=WARC/1\.1\r$)", open("plain.warc", "rb").read())[1:]:
    head, _, block = record.partition(b"\r\n\r\n")
    if b"WARC-Type: response" not in head: continue
    url = re.search(rb"WARC-Target-URI: (\S+)", head)[1].decode()
    http, _, body = block.partition(b"\r\n\r\n")
    lines = http.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines[1:])
    if "Content-Encoding" in headers:
        import zlib
        body = zlib.decompress(body.rstrip(b"\r\n"), 47)
    links = [{"path": "A@/href", "url": m.decode()} for m in re.findall(rb'<a href="?([^">]*)', body)]
    wat = {"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": {
        "Response-Message": {"Status": lines[0].split()[1]}, "Headers": headers, "HTML-Metadata": {
            "Head": {"Scripts": [{"path": "SCRIPT@/src", "url": "x.js"}]},
            "Links": [{"path": "IFRAME@/longdesc", "url": "y"}, *links]}}}}}
    text = json.dumps(wat).encode()
    out.write(b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url.encode(), len(text), text))
PY
python3 wat.py >crawl.wat 2>problem
links crawl.wat | diff own.links - >>problem
verdict "a WAT file gives the links that the pages themselves give"

python3 - "$own" >problem 2>&1 <<'PY'
import sys
b = bytearray(open(sys.argv[1], "rb").read())
at = len(b) // 2
at = b.index(b"\x1f\x8b\x08", at)
b[at + 20:at + 40] = b"\0" * 20
open("damaged.warc.gz", "wb").write(b)
open("cut.warc.gz", "wb").write(b[:at + 30])
p = bytearray(open("plain.warc", "rb").read())
at = p.index(b"Content-Length: ", p.index(b"WARC/1.", len(p) // 3)) # of the record, not of the answer in it
p[at + 16] = ord("x")
open("damaged.warc", "wb").write(p)
PY
for file in damaged.warc.gz cut.warc.gz damaged.warc; do
	links $file >some.links && grep -q "^lycosa: 1 damaged places .* '$file', byte [0-9]*: " talk || echo "$file: $(cat talk)" >>problem
	cut -d , -f 1 own.links | sort -u >sources && cut -d , -f 1 some.links | sort -u | comm -13 sources - >strange
	[ ! -s strange ] && [ "$(wc -l <some.links)" -gt 100 ] || { echo "$file" && wc -l some.links strange; } >>problem
done
verdict "damage is counted and named, and what lies around it is read"

printf 'no archive' >no.warc
says 3 "'no.warc'.*" "$lycosa" import no.warc --store none && [ ! -d none ]
result $? "what is no archive is refused, and no store is made"

# record TYPE URL DATE DIGEST FIELDS HEAD BODY
record() {
	{ printf '%b' "$6\r\n\r\n"; printf '%b' "$7"; } >block
	printf 'WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nWARC-Payload-Digest: sha1:%s\r\n%b' "$1" "$2" "$3" "$4" "$5"
	printf 'Content-Type: application/http; msgtype=response\r\nContent-Length: %s\r\n\r\n' "$(wc -c <block)"
	cat block
	printf '\r\n\r\n'
}
html='HTTP/1.1 200 OK\r\nContent-Type: text/html'
{
	record response http://a.test/ 2026-01-01T00:00:00Z A '' "$html" '<a href=/old>x</a>'
	record response http://a.test/robots.txt 2026-01-01T00:00:01Z R '' 'HTTP/1.1 200 OK' 'User-agent: *\nDisallow: /x\n'
	record response http://a.test/ 2026-01-01T00:00:02Z B '' "$html" '<a href=/new>x</a><a href=/copy>c</a>'
	record revisit http://a.test/copy 2026-01-01T00:00:03Z B '' "$html" ''
	record revisit http://a.test/ 2026-01-01T00:00:04Z B '' "$html" ''
	record revisit http://a.test/lost 2026-01-01T00:00:05Z C '' "$html" ''
	record response ftp://a.test/file 2026-01-01T00:00:06Z D '' "$html" ''
} >again.warc
links again.warc >got
printf 'http://a.test/%s,http://a.test/%s\n' '' copy '' new copy copy copy new | sort | diff - got >problem
grep -q "1 revisits repeat responses that are in none of the archives" talk || cat talk >>problem
verdict "of several captures the last one counts, and a revisit is what it repeats"

# records as the programs of others write them; each page has a link of its own
cat >shapes.py <<'PY'
import gzip, shutil, subprocess, sys, zlib
def html(name): return b"<html><a href=/to-%s>x</a>" % name.encode()
def chunks(data): return b"".join(b"%x\r\n%s\r\n" % (len(data[i:i + 9]), data[i:i + 9]) for i in range(0, len(data), 9))
def record(name, block, kind="response", type="application/http;msgtype=response", more=""):
    return (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Target-URI: http://s.test/{name}\r\n{more}"
            f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: {type}\r\nContent-Length: {len(block)}\r\n\r\n").encode() + block + b"\r\n\r\n"
def http(body, *fields): return "\r\n".join(["HTTP/1.1 200 OK", "Content-Type: text/html", *fields, "", ""]).encode() + body
def brotli(data): return (len(data) - 1 << 4 | 1 << 20).to_bytes(3, "little") + data + b"\x03"  # a block that is stored, and the end
chunked, gz = "Transfer-Encoding: chunked", "Content-Encoding: gzip"
bodies = {"no-length": http(html("no-length")), "chunked": http(chunks(html("chunked")) + b"0\r\n\r\n", chunked),
    "chunks-cut": http(chunks(html("chunks-cut")), chunked), "joined": http(html("joined"), chunked), "gzip": http(gzip.compress(html("gzip")), gz),
    "gzip-chunked": http(chunks(gzip.compress(html("gzip-chunked"))) + b"0\r\n\r\n", gz, chunked),
    "raw-deflate": http(zlib.compress(html("raw-deflate"))[2:-4], "Content-Encoding: deflate"), "unpacked": http(html("unpacked"), gz),
    "brotli": http(brotli(html("brotli")), "Content-Encoding: br"), "http2": http(html("http2")).replace(b"HTTP/1.1 200 OK", b"HTTP/2 200"), "lf": http(html("lf")).replace(b"\r\n", b"\n")}
if sys.argv[1:] and shutil.which("zstd"):
    bodies["zstd"] = http(subprocess.run(["zstd", "-c"], input=html("zstd"), stdout=subprocess.PIPE).stdout, "Content-Encoding: zstd")
records = [record("info", b"software: x\r\n", "warcinfo", "application/warc-fields"),
    record("no-length", b"GET / HTTP/1.1\r\n\r\n", "request", "application/http;msgtype=request")]
records += [record(name, body) for name, body in bodies.items()]
records += [record("resource", html("resource"), "resource", "text/html"),
    record("no-length", b"via: x\r\nhopsFromSeed: L\r\n", "metadata", "application/warc-fields"),
    record("truncated", http(html("truncated")), more="WARC-Truncated: length\r\n"),
    record("brackets", http(html("brackets"))).replace(b"URI: http://s.test/brackets", b"URI: <http://s.test/brackets>"),
    record("strange", http(b"xyz", "Content-Encoding: compress"))]
open("shapes.warc", "wb").write(b"".join(records))
open("shapes.warc.gz", "wb").write(b"".join(gzip.compress(r) for r in records))
names = [*bodies, "resource", "truncated", "brackets"]
open("shapes.want", "w").write("".join(sorted(f"http://s.test/{name},http://s.test/to-{name}\n" for name in names)))
PY
# shellcheck disable=SC2046 # no word, or three
python3 shapes.py $(grep '^#define HAVE_ZSTD' "$build/config.h") >problem 2>&1
for file in shapes.warc shapes.warc.gz; do
	links $file | LC_ALL=C sort | diff shapes.want - >>problem
	grep -q '1 bodies are packed in a way that is not known' talk || cat talk >>problem
done
verdict "chunks, codings and record types of other programs give their links; what cannot be unpacked is counted"

status 0 "$lycosa" import again.warc --store again &&
	grep -E '^(captures|pages|captured_again|not_of_the_web|revisits_unresolved)	' results >got &&
	printf '%s\n' 'captures	5' 'pages	2' 'captured_again	2' 'not_of_the_web	1' 'revisits_unresolved	1' | diff - got >problem
verdict "an import counts what it has taken, and what it has not"

"$lycosa" import "$own" --store imported -q >results 2>problem
"$lycosa" store dump --store own >want.dump && "$lycosa" store dump --store imported | diff want.dump - >>problem
"$lycosa" store verify --store imported >>problem 2>errors
verdict "an imported crawl has the pages and links of the crawl that made the archive"

crawl http://site.test/0 --store half --warc half --max-pages 30 >summary 2>errors || cat errors
"$lycosa" import half-*.warc.gz --store goes-on -q >results 2>problem
crawl --store goes-on --order goes-on.order >summary 2>errors || cat errors >>problem
"$lycosa" store dump --store goes-on | diff want.dump - >>problem
diff whole.order goes-on.order >>problem
awk '$1 == "crawled" { all = $2 } $1 == "crawled_now" { now = $2 } END { if (all - now != 30) print "fetched again:", all, now }' summary >>problem
verdict "a crawl imported at half goes on in its order, and ends with the whole site"

"$lycosa" import "$own" --store goes-on -q >results 2>problem
grep -q '^pages	0$' results || cat results >>problem
"$lycosa" store dump --store goes-on | diff want.dump - >>problem
verdict "what a crawl has already is not imported again"

"$lycosa" seeds --graph "$own" --method pagerank --count 3 >seeds.txt 2>problem &&
	"$lycosa" replay --graph "$own" --seeds seeds.txt --policy echo >replayed 2>>problem &&
	"$lycosa" compare --graph "$own" --seeds seeds.txt --policies bfs,echo >compared 2>>problem &&
	"$lycosa" rank --graph "$own" --by hits --top 3 >ranked 2>>problem
result $? "seeds, replays, comparisons and ranks are made of an archive"

TMPDIR=$work/tmp && export TMPDIR && mkdir tmp && fingerprint "$own" | diff want - >problem && [ -z "$(ls tmp)" ]
result $? "nothing is left of the temporary store"
