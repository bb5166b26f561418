#!/bin/sh
# crawl --requisites --warc, shown by archive serve, and crawl --mirror from the disk look in a browser as the site did.
. "$(dirname "$0")/tap.sh"
needs python3
browser=
for program in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $program)
done
[ -n "$browser" ] || skip_all "no chromium: NOTHING WAS COMPARED in a browser"
plan 8

# shot URL FILE [OPTION]: what a browser shows
shot() {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --user-data-dir="$work/profile" \
		--disable-background-networking --disable-component-update --virtual-time-budget=5000 --window-size=700,700 \
		${3:+"$3"} --screenshot="$work/$2" "$1" >>shots 2>&1
	[ -s "$2" ] || cat shots >>problem
}

# alike ONE TWO: whether a person sees the same on both
alike() { cmp -s "$1" "$2" || python3 "$top/tests/png_compare.py" "$1" "$2"; }

python3 "$top/tests/shown_site.py" site port requests &
server=$!
servers="$servers $server"
wait_for port . || exit 1
host=127.0.0.1:$(cat port)
site=http://$host
shot "$site/index.html" site.png
shot "$site/two.html" two.png

"$lycosa" crawl --store one --requisites --warc one --delay 0 -q "$site/index.html" >out 2>problem
"$lycosa" crawl --store bare --warc bare --delay 0 -q "$site/index.html" >out 2>problem
"$lycosa" crawl --store three --mirror files --delay 0 -q "$site/index.html" >out 2>>problem
serve() {
	"$lycosa" archive serve "$1"-*.warc.gz >"$1.out" 2>>problem &
	servers="$servers $!"
	wait_for "$1.out" '^listening on' || cat problem
	at=http://127.0.0.1:$(sed 's/.*://' "$1.out")
	curl -s "$at/" >list
	page=$at$(sed -n 's|.*href="\([^"]*/index.html\)".*|\1|p' list | head -n 1)
	three=$at$(sed -n 's|.*href="\([^"]*/three.html\)".*|\1|p' list | head -n 1)
}
# the page around an archived page, with the site's own page in its frame
serve one
curl -s "$page" | sed "s|sandbox=\"[^\"]*\" src=\"[^\"]*\"|src=\"/index.html\"|" >site/around.html
shot "$site/around.html" around.png
curl -s "$three" | sed "s|sandbox=\"[^\"]*\" src=\"[^\"]*\"|src=\"/three.html\"|" >site/around_three.html
shot "$site/around_three.html" around_three.png
shot "$site/index.html" again.png
alike site.png again.png >out 2>&1 || cp out problem
verdict "a browser shows the site twice alike"

kill $server && wait $server 2>>shots
shot "$page" replay.png
alike around.png replay.png >out 2>&1 || cp out problem
shot "$(echo "$page" | sed 's/127.0.0.1/localhost/')" replay_localhost.png
alike around.png replay_localhost.png >out 2>&1 || cp out problem
verdict "the archive looks as the site did, which is gone now"
shot "$three" replay_three.png
alike around_three.png replay_three.png >out 2>&1 || cp out problem
verdict "and so does a page whose image a script names"
shot "$page" replay_named.png "--host-resolver-rules=MAP *.localhost ^NOTFOUND"
alike around.png replay_named.png >out 2>&1 || cp out problem
shot "$three" replay_three_named.png "--host-resolver-rules=MAP *.localhost ^NOTFOUND"
! alike around_three.png replay_three_named.png >out 2>&1 || echo "the browser knows the server's other name" >>problem
verdict "and it does in a browser to which names under localhost are no addresses, but for what scripts name by paths alone"
serve bare
shot "$page" bare.png
! alike around.png bare.png >out 2>&1
result $? "and not so without its requisites"

folder=$work/files/$(echo "$host" | sed 's/:/_3a/')
shot "file://$folder/index.html" mirror.png
alike site.png mirror.png >out 2>&1 || cp out problem
verdict "the mirror looks as the site did, from the disk"
shot "file://$folder/two.html" mirror_two.png
alike two.png mirror_two.png >out 2>&1 || cp out problem
verdict "and so does its other page"
ls "$work/files" | grep -q localhost || find "$work/files" >>problem
verdict "an image of another host is in the mirror, too"
[ -z "${KEEP:-}" ] || cp -r "$work"/*.png "$work/files" "$KEEP"
