#!/bin/sh
# crawl --requisites --warc, shown by archive serve, and crawl --mirror from the disk look in a browser as the site did.
. "$(dirname "$0")/../tap.sh"
needs python3
. "$top/tests/archive/browser.sh"
[ -n "$browser" ] || skip_all "no chromium: NOTHING WAS COMPARED in a browser"
[ -n "$python" ] || skip_all "no python 3.10: NOTHING WAS COMPARED in a browser"
plan 8

# shot URL FILE: what the browser shows
shot() {
	rm -f "$2"
	printf 'open %s\npicture %s\n' "$1" "$work/$2" | browse shown 2>>problem
	[ -s "$2" ] || echo "no picture of $1" >>problem
}

# alike ONE TWO: whether a person sees the same on both: at most 40 pixels differ
alike() {
	cmp -s "$1" "$2" && return
	echo "compare $work/$1 $work/$2" | browse differ || echo "the browser has ended" >>problem
	echo "$(cat differ) pixels differ: $1 $2"
	[ "$(cat differ)" -le 40 ]
}

# shows_as LIKE URL FILE: notes a problem if a browser shows something else than the file LIKE. A page in a frame
# is not known to be there, and on a busy machine it may be late, so the browser is asked up to four times.
shows_as() {
	for attempt in 1 2 3 4; do
		shot "$2" "$3"
		alike "$1" "$3" >out 2>&1 && return
	done
	cp out problem
}

# shows_other LIKE URL FILE: notes a problem unless a browser shows a page in the frame, and this is not what the file LIKE has
shows_other() {
	for attempt in 1 2 3 4; do
		shot "$2" "$3"
		alike empty.png "$3" >out 2>&1 || break
	done
	! alike empty.png "$3" >out 2>&1 || cp out problem
	! alike "$1" "$3" >out 2>&1 || cp out problem
}

open_browser
python3 "$top/tests/archive/shown_site.py" site port requests &
server=$!
servers="$servers $server"
wait_for port . || exit 1
host=127.0.0.1:$(cat port)
site=http://$host
shot "$site/index.html" site.png
shot "$site/two.html" two.png

"$lycosa" crawl --store one --requisites --allow-private --warc one --delay 0 -q "$site/index.html" >out 2>problem
"$lycosa" crawl --store bare --warc bare --delay 0 -q "$site/index.html" >out 2>problem
"$lycosa" crawl --store three --mirror files --allow-private --delay 0 -q "$site/index.html" >out 2>>problem
serve() {
	background "$lycosa" archive serve "$1"-*.warc.gz >"$1.out" 2>>problem
	servers="$servers $!"
	wait_for "$1.out" '^listening on' || cat problem
	at=http://127.0.0.1:$(sed 's/.*://' "$1.out")
	curl -s "$at/" >list
	page=$at$(sed -n 's|.*href="\([^"]*/index.html\)".*|\1|p' list | head -n 1)
	three=$at$(sed -n 's|.*href="\([^"]*/three.html\)".*|\1|p' list | head -n 1)
}
# the page around an archived page, with the site's own page in its frame
serve one
curl -s "$page" | sed "s|sandbox=\"[^\"]*\" data-path=\"[^\"]*\"|src=\"/index.html\"|; s|<script>.*</script>||" >site/around.html
shot "$site/around.html" around.png
sed 's|src="/index.html"|src="about:blank"|' site/around.html >site/empty.html
shot "$site/empty.html" empty.png
curl -s "$three" | sed "s|sandbox=\"[^\"]*\" data-path=\"[^\"]*\"|src=\"/three.html\"|; s|<script>.*</script>||" >site/around_three.html
shot "$site/around_three.html" around_three.png
shows_as site.png "$site/index.html" again.png
verdict "a browser shows the site twice alike"

kill $server && wait $server 2>>shots
shows_as around.png "$page" replay.png
shows_as around.png "$(echo "$page" | sed 's/127.0.0.1/localhost/')" replay_localhost.png
verdict "the archive looks as the site did, which is gone now"
shows_as around_three.png "$three" replay_three.png
verdict "and so does a page whose image a script names"
kept=$page
serve bare
shows_other around.png "$page" bare.png
verdict "and not so without its requisites"

folder=$work/files/$(echo "$host" | sed 's/:/_3a/')
shows_as site.png "file://$folder/index.html" mirror.png
verdict "the mirror looks as the site did, from the disk"
shows_as two.png "file://$folder/two.html" mirror_two.png
verdict "and so does its other page"
ls "$work/files" | grep -q localhost || find "$work/files" >>problem
verdict "an image of another host is in the mirror, too"
close_browser
open_browser "--host-resolver-rules=MAP *.localhost ^NOTFOUND"
shows_as around.png "$kept" replay_named.png
shows_other around_three.png "$three" replay_three_named.png
verdict "the archive looks as the site did in a browser to which names under localhost are no addresses, but for what scripts name by paths alone"
close_browser
[ -z "${KEEP:-}" ] || cp -r "$work"/*.png "$work/files" "$KEEP"
