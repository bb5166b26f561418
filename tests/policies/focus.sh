#!/bin/sh
# A focused crawl with the classifier of doc/examples/topic.py: live, and replayed from its store, aim finds the topic first.
. "$(dirname "$0")/../tap.sh"
needs jq
python=/usr/bin/python3
"$python" -c 'import sklearn' 2>/dev/null || skip_all "no python3-sklearn"
plan 4

# a site of ten chapters of twenty pages, one of which is of whales; a page links to its chapter and the next page of it, and chapters
# list their pages. Only URLs and anchor texts tell pages of a chapter before they are crawled
mkdir pages
awk 'BEGIN {
	split("train tax bread violin chess roof soil lens whale yarn", word)
	for (c = 1; c <= 10; c++) {
		home = home "<a href=/" word[c] "/>all of chapter " c "</a> "
		list = ""
		for (p = 1; p <= 20; p++) {
			list = list "<a href=/" word[c] "/" p ">" word[c] " part " p "</a> <a href=/" word[c % 10 + 1] "/" p ">see also</a>"
			text = "<p>"
			for (i = 1; i <= 30; i++) text = text word[c] " of the " word[c] "s " i " "
			name = "pages/" word[c] p ".html"
			print text "<a href=/" word[c] "/>up</a> <a href=/" word[(c + p) % 10 + 1] "/" p ">other</a>" (word[c] == "whale" ? "<![x[ a declaration of no kind" : "") >name
			print word[c] p ".html\thttp://a.test/" word[c] "/" p >"pages/index.tsv"
		}
		name = "pages/" word[c] ".html"
		print "<h1>" c "</h1>" list >name
		print word[c] ".html\thttp://a.test/" word[c] "/" >"pages/index.tsv"
	}
	print home >"pages/home.html"
	print "home.html\thttp://a.test/" >"pages/index.tsv"
}'
for i in 1 2 3 4 5 6; do echo "whale whales $i"; done >wanted
for i in 1 2 3 4 5 6; do echo "train tax bread violin chess of the $i"; echo "roof soil lens yarn of the $i"; done >others
serve --pages pages
crawl() {
	store=$1
	shift
	"$lycosa" crawl http://a.test/ --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --log "$store.log" -q "$@" >/dev/null 2>problem
}
crawl aim --max-pages 70 --score-cmd "$python '$top/doc/examples/topic.py' wanted others"
jq -r 'select(.event == "crawled") | [.url, .score] | @tsv' aim.log >scored
awk -F '\t' '($1 ~ "/whale/.") != ($2 > 0.5)' scored | awk '$1 !~ "/$"' >problem
[ "$(wc -l <scored)" = 70 ] && [ ! -s problem ]
result $? "the classifier tells pages of the topic from others"
crawl bfs --max-pages 70 --policy bfs --score-cmd "$python '$top/doc/examples/topic.py' wanted others"
hot() { jq -r 'select(.event == "crawled" and .score > 0.5).url' "$1.log" | wc -l; }
echo "aim $(hot aim), bfs $(hot bfs)" >problem
[ "$(hot aim)" -ge 15 ] && [ "$(hot bfs)" -le 7 ]
result $? "aim finds most pages of the topic among the first third, and breadth first few"
crawl whole --score-cmd "$python '$top/doc/examples/topic.py' wanted others"
for policy in aim bfs qmean; do
	"$lycosa" compare --graph whole --target whole --seeds "$(printf '0\n' >home && echo home)" --policies $policy --at 0.3 -q |
		awk -F '\t' -v policy=$policy '$1 == "policy" { for (i = 1; i <= NF; i++) if ($i == "mass") at = i } $1 == policy { print $at; exit }'
done >mass 2>problem
awk '{ mass[NR] = $1 } END { exit !(NR == 3 && mass[1] > 1.3 * mass[2]) }' mass || cat mass >>problem
[ ! -s problem ]
result $? "so does a replay of the store, by the scores that it keeps"
crawl good --score-cmd "$python '$top/doc/examples/topic.py' --quality" --max-pages 40 &&
	[ "$(jq -r 'select(.event == "crawled" and .score >= 0 and .score <= 1).url' good.log | wc -l)" = 40 ]
result $? "a page has a quality from 0 to 1"
