#!/bin/sh
# Every verb that prints a table has --json, and prints one JSON object then. The verbs are those of --help, so a new one without
# --json, or without a line here, fails.
. "$(dirname "$0")/../tap.sh"
needs jq
nats=

verbs() { "$lycosa" "$@" --help | awk '/^  [a-z]/ { print $1 }'; }
has_verbs() { "$lycosa" "$@" --help | head -n 1 | grep -q ' VERB \.\.\.$'; }
leaves() {
	for verb in $(verbs); do
		if ! has_verbs "$verb"; then
			echo "$verb"
			continue
		fi
		for below in $(verbs "$verb"); do
			if has_verbs "$verb" "$below"; then
				verbs "$verb" "$below" | sed "s/^/$verb $below /"
			else
				echo "$verb $below"
			fi
		done
	done
}
leaves >leaves
plan $(($(wc -l <leaves) + 1))

# What prints no table: files, pages, texts as they are, a server.
cat >no-table <<END
archive get
archive index
archive serve
archive text
archive wacz
completion bash
completion fish
completion zsh
export
fleet pause
fleet permissions
fleet rebalance
fleet resume
fleet seeds
fleet stop
graph convert
graph generate
graph offsets
graph prune
graph relabel
graph subgraph
graph transpose
help
serve
view
END
# A call of each of the others, in the folder that is prepared below; ctl asks the monitor of a crawl that runs.
cat >calls <<'END'
agree --graph web.txt --policies bfs --max-pages 20
archive check pages-*.warc.gz
archive extract --to extracted pages-*.warc.gz
archive list pages-*.warc.gz
audit requests.log
compare --graph web.txt --seeds random:3 --policies bfs,opic --draws 1
coverage --graph web.txt --seeds random:3 --hops 1
crawl --store other --delay 0 --max-pages 5 $site/0
ctl block gone.test
ctl delay 2
ctl explain $site/0
ctl history
ctl hold 127.0.0.1:$port
ctl hosts
ctl next
ctl pause
ctl release 127.0.0.1:$port
ctl resume
ctl seed $site/3
ctl status
ctl unblock gone.test
ctl stop
data get cc-2024-feb-apr-may-domain
data list
data verify
fleet status $nats/json
graph info web.txt
graph verify web.txt
import pages-*.warc.gz --store imported
list formats
list methods
list policies
measure --graph web.txt --order ids
parse http content-type
parse links --base http://a.test/ page.html
parse page --base http://a.test/ page.html
parse robots check robots.txt
parse robots info robots.txt
parse sitemap --base http://a.test/ sitemap.xml
parse url canon
parse url resolve --base http://a.test/
rank --graph web.txt --by indegree
replay --graph web.txt --seeds random:3 --policy bfs
seeds --graph web.txt --method hits --method-opt site=page --count 2
store compact second
store diff crawl second
store dump crawl
store explain crawl $site/0
store info crawl
store merge --into merged crawl second
store salvage --to salvaged crawl
store verify crawl
study study.ini
END
"$lycosa" graph generate --nodes 80 --rng-seed 3 --to edges web.txt 2>problem
# a graph of the catalogue that is here
LYCOSA_DATA=$work/data
export LYCOSA_DATA
mkdir -p data/cc-2024-feb-apr-may-domain
"$lycosa" graph convert --graph web.txt --to bvgraph data/cc-2024-feb-apr-may-domain/cc-main-2024-feb-apr-may-domain 2>>problem
serve --graph web.txt --log requests.log
site=http://127.0.0.1:$port
for store in crawl second; do
	"$lycosa" crawl "$site/0" --store $store --delay 0 --max-pages 20 --warc pages -q >summary 2>>problem
done
cp requests.log r && mv r requests.log
seq 0 40 >ids
echo '<meta http-equiv=refresh content="3;url=/x"><a href=/a>a</a>' >page.html
printf 'User-agent: *\nCrawl-delay: 2\nSitemap: http://a.test/s.xml\nDisallow: /no\n' >robots.txt
echo '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.test/1</loc></url></urlset>' >sitemap.xml
printf '[global]\ntitle = A study\npolicies = bfs, opic\nseeds = random:3\ndraws = 2\n\n[web]\ngraph = web.txt\n' >study.ini
background "$lycosa" crawl "$site/1" --store watched --delay 1s --monitor -q >watched.out 2>watched.err
watched=$!
servers="$servers $watched"
wait_for watched/monitor . $watched

# a crawl by agents, here by one, for `fleet status`
PATH=$PATH:/usr/sbin
if command -v nats-server >/dev/null && has_agents; then
	mkdir ports
	background nats-server -js -sd "$work/jetstream" -a 127.0.0.1 -p -1 --ports_file_dir "$work/ports" >nats.log 2>&1
	bus=$!
	servers="$servers $bus"
	has_ports() { grep -q 'nats://' ports/*.ports 2>/dev/null; }
	wait_until $bus has_ports
	nats=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' ports/*.ports | tail -n 1)
	"$lycosa" crawl --join "$nats/json" "$site/0" --store joined --delay 0 --max-pages 5 -q >summary 2>>problem
fi

# call VERB...: the call of a verb, with --json
call() {
	line=$(awk -v verb="$1" 'index($0 " ", verb " ") == 1' calls)
	[ -n "$line" ] || { echo "no line for it in calls, and none in no-table"; return 1; }
	eval "set -- $line"
	[ "$1" != ctl ] || set -- "$@" --store watched
	printf 'http://a.test/no?x\ntext/html; charset=latin1\nhttp://b.test/%%7ea\n' |
		"$lycosa" "$@" --json >json 2>errors
	status=$?
	[ $status = 0 ] || [ "$1" = audit ] || { echo "status $status"; cat errors; }
	jq -es 'length == 1 and (.[0] | type == "object")' json >truth 2>&1 || { head -c 300 json; cat errors; }
}
# ctl asks in the order of calls: a crawl that has stopped tells nothing
awk 'NR == FNR { at[$1 " " $2] = NR; next } { print (($1 " " $2) in at) ? at[$1 " " $2] : 0, $0 }' calls leaves |
	sort -n -k 1,1 -s | cut -d ' ' -f 2- >ordered
while read -r verb <&3; do
	if grep -qx "$verb" no-table; then
		# shellcheck disable=SC2086 # words
		"$lycosa" $verb --help | grep -q -e '--json' && echo "it has --json: remove it from no-table" >problem
	elif [ "$verb" = "fleet status" ] && [ -z "$nats" ]; then
		skip "$verb" "no nats-server, or built without NATS"
		continue
	else
		call "$verb" >problem 2>&1
	fi
	verdict "$verb"
done 3<ordered
"$lycosa" parse robots check --json robots.txt <page.html >json 2>problem
printf 'http://a.test/no?x\nhttp://a.test/yes\n' | "$lycosa" parse robots check --json robots.txt |
	jq -e '.rows | map(.verdict) == ["deny", "allow"] and .[0].url == "http://a.test/no?x"' >truth &&
	printf 'text/html; charset=latin1\nx\n' | "$lycosa" parse http content-type --json |
	jq -e '.rows == [{"type": "text/html", "charset": "windows-1252"}, {"type": null, "charset": null}]' >truth &&
	"$lycosa" parse page --json --base http://a.test/ page.html |
	jq -e '.rows | map(select(.name == "refresh")) == [{"name": "refresh", "value": "http://a.test/x", "seconds": "3"}]' >truth
result $? "the rows of the parsers have the columns that the manual names"
