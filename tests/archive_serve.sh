#!/bin/sh
# lycosa archive serve: pages of an archive as they were, with links that stay inside, and a policy that lets nothing out.
. "$(dirname "$0")/tap.sh"
needs python3 curl
plan 10

mkdir site
cat >site/index <<'HTML'
<!doctype html><html><head><title>Home</title><style>h1{background:url("/7")}</style></head>
<body><h1>Hello</h1><a href=two>two</a> <a href=three>three</a> <a href="http://outside.test/x">out</a><img src=/three srcset="/three 1x"></body></html>
HTML
echo '<title>two</title><a href="index?a=1&amp;b=2">back</a>' >site/two
echo 'page three, <a href=old>moved</a>' >site/three
python3 "$top/tests/changing_server.py" port site requests.log &
servers="$servers $!"
wait_for port . || exit 1
site=http://127.0.0.1:$(cat port)
echo "moved $site/two" >site/old
"$lycosa" crawl --store one --warc first --delay 0 -q "$site/index" >out 2>problem
sleep 1.1
echo 'page three is another' >site/three
"$lycosa" crawl --store one --refresh --warc second --delay 0 -q >out 2>problem

"$lycosa" archive serve first-*.warc.gz second-*.warc.gz >serve.out 2>serve.err &
replay=$!
servers="$servers $replay"
wait_for serve.out '^listening on' || cat serve.err
at=http://127.0.0.1:$(sed 's/.*://' serve.out)
get() { curl -s "$@"; }

get "$at/" >list
[ "$(grep -c "href=\"/[0-9]*/$site/three\"" list)" = 2 ] && [ "$(grep -c "$site/two\"" list)" = 1 ]
result $? "the list has each HTML page, and a page that has changed twice"
stamp=$(sed -n 's|.*href="/\([0-9]*\)/[^"]*/index".*|\1|p' list | head -n 1)
late=$(sed -n 's|.*href="/\([0-9]*\)/[^"]*/three".*|\1|p' list | tail -n 1)
get "$at/$stamp/$site/index" >page
grep -q '<b>Archived</b> <span id=when>20..-..-.. ..:..:.. UTC</span>' page && grep -q "sandbox=\"allow-scripts allow-forms\" src=\"/$stamp/p/$site/index\"" page || cp page problem
verdict "a page has a bar that says when it was archived, above a frame"
get "$at/$stamp/p/$site/index" >page
for want in "<a href=\"/$stamp/p/$site/two\">" "<a href=\"/$stamp/p/http://outside.test/x\">" "<img src=\"/$stamp/p/$site/three\"" "url(\"/$stamp/p/$site/7\")"; do
	grep -qF "$want" page || { echo "no $want"; cat page; } >>problem
done
head -c 15 page | grep -q '^<!doctype html>' || echo "no doctype first" >>problem
verdict "links, images and styles of a page stay inside"
get -D head "$at/$stamp/p/$site/index" >page
grep -qi "^content-security-policy: default-src $at 'unsafe-inline'.*sandbox allow-scripts allow-forms" head && grep -qi '^referrer-policy: no-referrer' head &&
	! grep -i '^content-security-policy' head | grep -q 'same-origin' || cp head problem
verdict "its policy lets a browser ask this server alone"
[ "$(curl -s -o page -H 'Sec-Fetch-Dest: document' -w '%{http_code} %{redirect_url}' "$at/$stamp/p/$site/index")" = "302 $at/$stamp/$site/index" ]
result $? "what is in the frame is not shown without it"
[ "$(get "$at/$stamp/p/$site/three" | grep -c 'page three, ')" = 1 ] && [ "$(get "$at/$late/p/$site/three" | grep -c another)" = 1 ]
result $? "of two captures the one next to the time is shown"
get "$at/$stamp/$site/three" | grep -q 'later</a>' && get "$at/$late/$site/three" | grep -q 'earlier</a>'
result $? "and the bar leads from one to the other"
[ "$(curl -s -o page -w '%{http_code} %{redirect_url}' "$at/$stamp/p/$site/old")" = "301 $at/$stamp/p/$site/two" ]
result $? "a redirect leads into the archive"
[ "$(curl -s -o page -w '%{http_code}' "$at/$stamp/p/http://outside.test/x")" = 404 ] && grep -q 'does not have' page &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/nothing")" = 404 ] && [ "$(curl -s -o page -w '%{http_code}' -X POST "$at/")" = 405 ] &&
	[ "$(curl -s -o page -w '%{http_code}' "$at/20260101000000/")" = 404 ]
result $? "what is not archived is told"
kill "$replay" && wait "$replay" && says 3 nowhere "$lycosa" archive serve nowhere.warc.gz
result $? "SIGTERM ends the server"
