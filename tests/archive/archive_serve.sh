#!/bin/sh
# lycosa archive serve: pages of an archive as they were, with links that stay inside, and a policy that lets nothing out.
. "$(dirname "$0")/../tap.sh"
needs python3 curl
plan 26

mkdir site
cat >site/index <<'HTML'
<!doctype html><html><head><title>Home</title><style>h1{background:url("/7")}</style></head>
<body><h1>Hello</h1><a href=two>two</a> <a href=three>three</a> <a href="http://outside.test/x">out</a><img src=/three srcset="/three 1x"></body></html>
HTML
echo '<title>two</title><a href="index?a=1&amp;b=2">back</a>' >site/two
echo 'page three, <a href=old>moved</a>' >site/three
echo '<title>framed</title><iframe src=two></iframe>' >site/framed
python3 "$top/tests/refresh/changing_server.py" port site requests.log &
servers="$servers $!"
wait_for port . $! || exit 1
site=http://127.0.0.1:$(cat port)
echo "moved $site/two" >site/old
"$lycosa" crawl --store one --warc first --delay 0 -q "$site/index" "$site/framed" >out 2>problem
# captures have whole seconds
begun=$(date +%s)
is_later() { [ "$(date +%s)" -gt "$begun" ]; }
wait_until $$ is_later
echo 'page three is another' >site/three
"$lycosa" crawl --store one --refresh --warc second --delay 0 -q >out 2>problem

background "$lycosa" archive serve first-*.warc.gz second-*.warc.gz >serve.out 2>serve.err
replay=$!
servers="$servers $replay"
wait_for serve.out '^listening on' $replay || cat serve.err
at=http://127.0.0.1:$(sed 's/.*://' serve.out)
get() { curl -s "$@"; }

get "$at/" >list
[ "$(grep -c "href=\"/[0-9]*/$site/three\"" list)" = 2 ] && [ "$(grep -c "$site/two\"" list)" = 1 ]
result $? "the list has each HTML page, and a page that has changed twice"
stamp=$(sed -n 's|.*href="/\([0-9]*\)/[^"]*/index".*|\1|p' list | head -n 1)
late=$(sed -n 's|.*href="/\([0-9]*\)/[^"]*/three".*|\1|p' list | tail -n 1)
get "$at/$stamp/$site/index" >page
p=$(sed -n 's|.*data-path="[^"]*/[0-9]*/\(p[0-9a-f]*\)/.*|\1|p' page)
port_of=${at##*:}
name=$(sed -n "s|.*'http://\([0-9a-f]*\.localhost:$port_of\)'.*|\1|p" page) # of the server, for archived pages
grep -q '<b>Archived</b> <span id=when>20..-..-.. ..:..:.. UTC</span>' page && grep -q "sandbox=\"allow-scripts allow-forms\" data-path=\"/$stamp/$p/$site/index\"" page && [ "${p#p}" != "${name%%.*}" ] || cp page problem
verdict "a page has a bar that says when it was archived, above a frame"
get "$at/$stamp/$p/$site/index" >page
for want in "<a href=\"/$stamp/$p/$site/two\">" "<a href=\"/$stamp/$p/http://outside.test/x\">" "<img src=\"/$stamp/$p/$site/three\"" "url(\"/$stamp/$p/$site/7\")"; do
	grep -qF "$want" page || { echo "no $want"; cat page; } >>problem
done
head -c 15 page | grep -q '^<!doctype html>' || echo "no doctype first" >>problem
verdict "links, images and styles of a page stay inside"
get -D head "$at/$stamp/$p/$site/index" >page
grep -qi "^content-security-policy: default-src http://$name $at 'unsafe-inline'.*sandbox allow-scripts allow-forms" head && grep -qi "^content-security-policy:.*frame-ancestors $at" head &&
	! grep -i '^content-security-policy' head | grep -q 'same-origin' || cp head problem
verdict "its policy lets a browser ask this server alone"
frame=$(get "$at/$stamp/$p/$site/framed" | sed -n 's|.*<iframe src="/[0-9]*/\(f[0-9a-f]*\)/.*|\1|p')
get -D head "$at/$stamp/$frame/$site/two" >page
grep -q "href=\"/[0-9]*/$frame/$site/index" page && grep -qi '^content-security-policy: default-src' head && ! grep -qi 'frame-ancestors' head || cat head page >problem
[ "$(curl -s -o page -H 'Sec-Fetch-Dest: document' -w '%{redirect_url}' "$at/$stamp/$frame/$site/two")" = "$at/$stamp/$site/two" ] &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/$stamp/f0000000000000000/$site/two")" = 404 ] &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/$stamp/p0000000000000000/$site/two")" = 404 ] && [ "$(curl -s -o page -w '%{http_code}' "$at/$stamp/p/$site/two")" = 404 ] || cp page problem
verdict "a frame within an archived page is shown; no other site can know the paths of what is archived"
script() { curl -s -o page -H 'Sec-Fetch-Site: cross-site' -w '%{http_code} %{redirect_url}' "$@"; }
get "$at/$stamp/$p/$site/index" >page
[ "$(script -D head -H "Host: $name" -H 'Sec-Fetch-Dest: image' "$at/two?q=1")" = "302 $at/$stamp/$p/$site/two?q=1" ] &&
	grep -qi '^access-control-allow-origin: \*' head && ! grep -qi '^cross-origin-resource-policy' head &&
	[ "$(script -H "Host: $name" -H 'Sec-Fetch-Dest: document' "$at/two")" = "404 " ] && [ "$(curl -s -o page -w '%{http_code}' "$at/two")" = 404 ]
result $? "a path that a script has made is that of the site of the page"
# what a page of another site may load, frame or open, whether the archive has it or not
for dest in image script iframe; do
	for path in /$stamp/$site/two /$stamp/$site/none /$stamp/p0000000000000000/$site/two /two /none; do
		[ "$(script -H "Sec-Fetch-Dest: $dest" "$at$path")" = "403 " ] && [ ! -s page ] || echo "$dest $path"
	done
done >problem 2>&1
for path in / /$stamp/$site/two /$stamp/$site/none; do
	get -D head "$at$path" >page
	grep -qi '^cross-origin-opener-policy: same-origin' head && grep -qi '^cross-origin-resource-policy: same-origin' head &&
		grep -qi "^content-security-policy:.*frame-ancestors 'none'" head || cat head >>problem
done
verdict "no other site can find out what the archive has"
[ "$(curl -s -o page -H 'Sec-Fetch-Dest: document' -w '%{http_code} %{redirect_url}' "$at/$stamp/$p/$site/index")" = "302 $at/$stamp/$site/index" ]
result $? "what is in the frame is not shown without it"
[ "$(get "$at/$stamp/$p/$site/three" | grep -c 'page three, ')" = 1 ] && [ "$(get "$at/$late/$p/$site/three" | grep -c another)" = 1 ]
result $? "of two captures the one next to the time is shown"
zcat second-*.warc.gz | grep -a -A3 '^WARC-Type: revisit' | grep -aq "$site/index" && get "$at/$late/$p/$site/index" | grep -q '<h1>Hello'
result $? "a page that a later visit found unchanged is shown with its earlier body"
get "$at/$stamp/$site/three" | grep -q 'later</a>' && get "$at/$late/$site/three" | grep -q 'earlier</a>'
result $? "and the bar leads from one to the other"
curl -s -o page -w '%{http_code} %{redirect_url}\n' "$at/$stamp/$p/$site/old" | grep -q "^301 $at/[0-9]*/$p/$site/two$"
result $? "a redirect leads into the archive"
[ "$(curl -s -o page -w '%{http_code}' "$at/$stamp/$p/http://outside.test/x")" = 404 ] && grep -q 'does not have' page &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/nothing")" = 404 ] && [ "$(curl -s -o page -w '%{http_code}' -X POST "$at/")" = 405 ] &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/20260101000000/")" = 404 ]
result $? "what is not archived is told"

forbidden() { curl -s -o page -w '%{http_code}' -H "Host: $1" "$2"; }
[ "$(forbidden "evil.test:$port_of" "$at/")" = 403 ] && [ ! -s page ] && [ "$(forbidden "evil.test" "$at/$stamp/$site/index")" = 403 ] && [ ! -s page ] &&
	[ "$(forbidden "127.0.0.1.evil.test:$port_of" "$at/")" = 403 ] && [ "$(forbidden "$name.evil.test" "$at/two")" = 403 ] && [ "$(forbidden "${name%:*}.evil.test:$port_of" "$at/two")" = 403 ] &&
	[ "$(forbidden "0123456789abcdef.localhost:$port_of" "$at/two")" = 403 ] && [ "$(forbidden "localhost:$port_of" "$at/")" = 200 ]
result $? "a site whose name leads to this machine can read neither the list nor a page"

[ "$("$lycosa" archive get --url "$site/index" first-*.warc.gz second-*.warc.gz)" = "$(cat site/index)" ] &&
	[ "$("$lycosa" archive get --url "$site/index" first-*.cdxj second-*.cdxj)" = "$(cat site/index)" ] &&
	says 19 "name the files from before, too" "$lycosa" archive get --url "$site/index" second-*.warc.gz
result $? "and get prints that body, too, if it has the files from before"

# the same pages as files
"$lycosa" archive extract --to files first-*.warc.gz second-*.warc.gz >out 2>problem
host=$(printf '%s' "${site#http://}" | sed 's/:/_3a/')
[ "$(awk '$1 == "files" { print $2 }' out)" = 4 ] && find files -type f | LC_ALL=C sort | sed 's|.*/||' | tr '\n' ' ' | grep -qx 'framed.html index.html three.html two.html ' || find files >>problem
verdict "extract writes a file for each page"
for want in '<a href="two.html">' '<a href="three.html">' '<a href="http://outside.test/x">' '<img src="three.html"'; do
	grep -qF "$want" "files/$host/index.html" || { echo "no $want"; cat "files/$host/index.html"; } >>problem
done
grep -qF "<a href=\"$site/index?a=1&#38;b=2\">" "files/$host/two.html" || cat "files/$host/two.html" >>problem
verdict "links between files are relative, and those to what is not there are absolute"
"$lycosa" archive extract --to early first-*.warc.gz >out 2>problem
grep -q another "files/$host/three.html" && grep -qF '<a href="two.html">moved' "early/$host/three.html"
result $? "the last capture of a page is written, and a link to a redirect leads to its target"
python3 - <<'PY'
def record(url, body):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url, len(block), block)
open("odd.warc", "wb").write(b"".join(record(u, b"x") for u in (b"http://../../etc/x", b"http://a.test/%2e%2e/%2f..%2f/y", b"http://a.test/.hidden/z",
    b"http://a.test/q/?a=1&b=2", b"http://a.test/f", b"http://a.test/f/g", b"http://a.test/" + b"l" * 3000,
    b"https://a.test/f", b"http://a.test/" + b"p" * 150 + b"?" + b"q" * 150)))
PY
mkdir in && "$lycosa" archive extract --to in/odd odd.warc >out 2>errors || cat errors >>problem
[ "$(find in -mindepth 1 -maxdepth 1)" = in/odd ] && [ -z "$(find in/odd -name '.*')" ] && [ -f in/odd/a.test/f/g ] && [ -f "in/odd/a.test/q/index@a=1_26b=2" ] && [ ! -s errors ] &&
	[ "$(find in/odd/a.test -maxdepth 1 -type f -name 'f~*' | wc -l)" = 2 ] && [ "$(find in -type f | wc -l)" = 9 ] &&
	[ -z "$(find in -type f | sed 's|.*/||' | awk 'length > 230')" ] || find in errors >>problem
verdict "no URL leads to a file outside the folder"
python3 - <<'PY'
def record(url, head, body):
    block = b"HTTP/1.1 " + head + b"\r\n\r\n" + body
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url, len(block), block)
html = b"200 OK\r\nContent-Type: text/html"
open("moved.warc", "wb").write(b"".join(record(b"http://a.test/%d" % i, b"302 Found\r\nLocation: /%d" % (i + 1), b"") for i in range(13)) +
    record(b"http://a.test/13", html, b"end") + record(b"http://a.test/loop", b"302 Found\r\nLocation: /loop", b"") +
    record(b"http://a.test/page", html, b"<a href=0><a href=loop>" * 200000))
PY
(ulimit -t 20 && "$lycosa" archive extract --to moved moved.warc) >out 2>problem || echo "status $?" >>problem
[ "$(grep -o '<a href="13.html"><a href="http://a.test/loop">' moved/a.test/page.html | wc -l)" = 200000 ] || cat out >>problem
verdict "a page with 200,000 references to a chain of redirects costs no more than its bytes"

# an earlier extraction has left a file where a folder must be now
python3 - <<'PY'
def record(url, type, body):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: " + type + b"\r\n\r\n" + body
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url, len(block), block)
plain, html = b"text/plain", b"text/html"
open("above.warc", "wb").write(record(b"http://a.test/f", plain, b"f") + record(b"http://a.test/p.html", html, b"<a href=q.html>") +
    record(b"http://a.test/q.html", html, b"q") + record(b"http://a.test/u", plain, b"u"))
open("below.warc", "wb").write(record(b"http://a.test/f/g", plain, b"g") + record(b"http://a.test/p.html/x", html, b"x") + record(b"http://a.test/u/1", plain, b"1") +
    record(b"http://a.test/u/2", plain, b"2"))
PY
"$lycosa" archive extract --to grown above.warc >out 2>errors || cat errors >>problem
echo mine >grown/a.test/u
cp grown/a.test/f grown.f
"$lycosa" archive extract --to grown above.warc below.warc >out 2>errors || cat errors >>problem
[ "$(cat grown/a.test/f/g)" = g ] && [ -f grown/a.test/p.html/x.html ] && cmp -s grown.f grown/a.test/f~* || find grown >>problem
verdict "a page of an earlier extraction gives way to a folder"
[ "$(cat grown/a.test/u)" = mine ] && [ "$(grep -c "'grown/a.test/u/[12]' is left out: another file, a link or a store stands in its way" errors)" = 2 ] || cat errors >>problem
verdict "a file that is no page of the archive does not"
python3 - <<'PY'
def record(url):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + url
    return b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url, len(block), block)
open("cases.warc", "wb").write(b"".join(record(b"http://a.test/" + u) for u in (b"About", b"about", b"ABOUT/x", b"Dir/x", b"dir/X", b"dir/y")))
PY
"$lycosa" archive extract --to cases cases.warc >out 2>problem
[ "$(find cases -type f | wc -l)" = 6 ] && [ "$(find cases -type f | sed 's|.*/a.test/||' | tr A-Z a-z | sort -u | wc -l)" = 6 ] &&
	[ -z "$(find cases -type f | tr A-Z a-z | grep -x 'cases/a.test/about')" ] || find cases >>problem
verdict "names are distinct where the case of letters does not count"
# 20 MB of lines of pages that nobody asks for
{
	cat first-*.cdxj second-*.cdxj
	awk 'BEGIN { for (i = 0; i < 90000; i++) printf "zz,fill)/%08d 20240101000000 {\"url\":\"http://fill.zz/%08d\",\"mime\":\"text/html\",\"status\":\"200\",\"digest\":\"sha1:%032d\",\"length\":\"500\",\"offset\":\"%d\",\"filename\":\"none.warc.gz\"}\n", i, i, i, i }'
} | LC_ALL=C sort >large.cdxj
background "$lycosa" archive serve large.cdxj >large.out 2>large.err
servers="$servers $!"
wait_for large.out '^listening on' $! || cat large.err
large=http://127.0.0.1:$(sed 's/.*://' large.out)
{
	get "$large/" | grep -q 'These are the first [0-9]*;' || echo "the list has all"
	for path in $stamp/$site/index $late/$site/three 20240101000000/http://fill.zz/00089999; do
		[ "$(curl -s -o page -w '%{http_code}' "$large/$path")" = 200 ] || echo "no $path"
	done
	[ "$(curl -s -o page -w '%{http_code}' "$large/$stamp/$site/none")" = 404 ] || cat page
	get "$large/$late/$site/three" >page
	key=$(sed -n 's|.*data-path="[^"]*/[0-9]*/\(p[0-9a-f]*\)/.*|\1|p' page)
	grep -q 'earlier</a>' page || cat page
	get "$large/$stamp/$key/$site/three" | grep -q 'page three, ' || echo "three"
	get "$large/$late/$key/$site/three" | grep -q 'page three is another' || echo "three, later"
	get "$large/$late/$key/$site/two" | grep -q '>back</a>' || echo "what the revisit of two repeats"
} >problem 2>&1
verdict "of a large index the lines of a page are searched for when it is asked for"
# the pages of this one would be the first of the list if it were read to its end
sed 's|^zz,fill)|a,fill)|; s|http://fill.zz/|http://fill.a/|' large.cdxj | LC_ALL=C sort >further.cdxj
background "$lycosa" archive serve large.cdxj further.cdxj >both.out 2>both.err
servers="$servers $!"
wait_for both.out '^listening on' $! || cat both.err
both=http://127.0.0.1:$(sed 's/.*://' both.out)
{
	get "$both/" | grep -q 'These are the first [0-9]*;' || echo "no list"
	get "$both/" | grep -q 'http://fill.a/' && echo "all lines of the second index are kept"
	[ "$(curl -s -o page -w '%{http_code}' "$both/20240101000000/http://fill.a/00089999")" = 200 ] || cat page
} >problem 2>&1
verdict "of several large indexes no more captures are kept than of one"
kill "$replay" && wait "$replay" && says 3 nowhere "$lycosa" archive serve nowhere.warc.gz
result $? "SIGTERM ends the server"
