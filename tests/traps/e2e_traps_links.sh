#!/bin/sh
# A place whose folders repeat, with pages that lead to more new URLs than a store keeps the texts of: each page is judged by its own URL.
. "$(dirname "$0")/../tap.sh"
plan 2

mkdir site
awk 'BEGIN {
	for (i = 0; i < 55; i++) label = label "l"
	for (i = 0; i < 40; i++) name = name "seg"
	for (page = 0; page < 14; page++) {
		file = page ".html"
		path = page ? path "x/" : "http://a.test/"
		print file "\t" path >"site/index.tsv"
		print "<p>text " page " of this page" >("site/" file)
		if (page)
			print "<a href=" path ">x</a>" >"site/0.html"
		for (link = 0; page && link < 20; link++)
			print "<a href=http://host" page "-" link "-" label ".test/" name link ".html>y</a>" >("site/" file)
	}
}'
serve --pages site --port 0
status 0 "$lycosa" crawl http://a.test/ --store s --connect-to "::127.0.0.1:$port" --delay 0 -q
result $? "a crawl of such a place comes to its end"
"$lycosa" export --store s --pages --state crawled --to jsonl | grep -c '"http://a.test/' >got
echo 14 | diff - got >problem
verdict "and has all of its pages"
