#!/bin/sh
# Programs beside a crawl: one that reads the lines of the log (--log-to), and one that is run for each page (--exec). They slow the
# crawl down and lose nothing, and nothing that comes from the network is run by a shell.
. "$(dirname "$0")/../tap.sh"
needs jq flock
plan 19

"$lycosa" graph generate --nodes 300 --arcs-per-node 5 --rng-seed 7 --to edges web.txt
serve --graph web.txt --log requests.log
site=http://127.0.0.1:$port
# crawl STORE FLAG...
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$site/0" --store "$store" --delay 0 --parallel 8 --parallel-per-host 8 -q "$@" >"$store.out" 2>"$store.err"
}
crawled() { "$lycosa" store info --store "$1" --json | jq .crawled; }
urls() { jq -r 'select(.event == "crawled") | .url' "$1" | LC_ALL=C sort; }

# --- a reader of the log
crawl logged --log logged.jsonl --log-to 'cat >read.jsonl' && diff logged.jsonl read.jsonl >problem && [ "$(crawled logged)" -gt 200 ]
result $? "a program reads the lines of the log, in their order, and writes where the user may"
crawl out --log-to 'exec jq -r .url' --max-pages 20 && [ "$(grep -c "^$site/" out.out)" -ge 20 ] && ! grep -qv "^$site/" out.out
result $? "its output is that of the crawl, and the summary does not run into it"
crawl slow --log-to 'while read -r line; do printf "%s\n" "$line"; done >slow.jsonl' --log whole.jsonl &&
	diff whole.jsonl slow.jsonl >problem && [ "$(urls slow.jsonl | wc -l)" -gt 200 ]
result $? "a slow one gets every line"
background "$lycosa" crawl "$site/0" --store asleep --delay 0 -q --log-to 'read -r line; printf "%s\n" "$line" >asleep.jsonl; exec sleep 1000' >/dev/null 2>asleep.err
pid=$!
wait_for asleep.jsonl . $pid
# no_more: whether the crawl has asked for nothing between some looks
was=0 looks=0
no_more() {
	asked=$(wc -l <requests.log)
	[ "$asked" = "$was" ] && looks=$((looks + 1)) || looks=0
	was=$asked
	[ $looks -ge 4 ]
}
wait_until $pid no_more
kill -0 $pid 2>problem && [ "$(crawled asleep)" -lt 200 ]
result $? "one that reads no more makes the crawl wait"
kill -9 $pid
wait $pid 2>/dev/null
background "$lycosa" crawl "$site/0" --store hung --delay 0 -q --log-to 'read -r line; printf "%s\n" "$line" >hung.jsonl; exec sleep 1000' >/dev/null 2>hung.err
pid=$!
wait_for hung.jsonl . $pid
wait_until $pid no_more
kill -INT $pid
wait $pid
[ $? = 17 ] && cp hung.err problem && grep -q 'while the command of --log-to did not read; the same command goes on$' hung.err &&
	"$lycosa" store verify --store hung >problem 2>&1 &&
	crawl hung --log-to 'cat >>hung.jsonl' && urls hung.jsonl | uniq >a && urls logged.jsonl | diff - a >problem
result $? "one signal stops this crawl, too, and no line is lost"
crawl dead --log-to 'head -n 30 >dead.jsonl; exit 3'
[ $? = 1 ] && grep -q '^lycosa: the command of --log-to has ended with status 3, and the crawl goes on; mend it' dead.err &&
	"$lycosa" store verify --store dead >problem 2>&1
result $? "one that ends before the crawl ends the crawl with status 1"
crawl dead --log-to 'cat >>dead.jsonl' && urls dead.jsonl | uniq >a && urls logged.jsonl | diff - a >problem
result $? "and the same command goes on: every page has a line"
crawl failed --max-pages 5 --log-to 'cat >/dev/null; exit 4'
[ $? = 1 ] && grep -q '^lycosa: the command of --log-to has ended with status 4$' failed.err && [ "$(crawled failed)" = 5 ]
result $? "one that fails at the end is told, by status 1 too"
crawl absent --log-to './no-such-program 2>/dev/null'
[ $? = 1 ] && grep -q 'has ended with status 127' absent.err
result $? "and one that does not exist"
crawl archived --warc pages --max-pages 30 --log-to 'cat >places.jsonl' &&
	jq -r 'select(.event == "crawled") | "\(.archive.file)\t\(.archive.offset)\t\(.archive.length)\t\(.url)"' places.jsonl >places &&
	[ "$(wc -l <places)" = 30 ] && while IFS='	' read -r file offset length url; do
		tail -c +$((offset + 1)) "$file" | head -c "$length" | gzip -dc | grep -aqF "WARC-Target-URI: $url" || echo "$url"
	done <places >problem
verdict "with an archive each line says where its body stands"

# --- a command for each page
crawl each --exec 'printf "%s %s %s %s\n" "$1" "$2" "$3" "$(cksum)" >>each.txt' --log each.jsonl && [ "$(crawled each)" -gt 200 ] &&
	cut -d ' ' -f 1 each.txt | LC_ALL=C sort >a && urls each.jsonl | diff - a >problem &&
	curl -s "$site/7" | cksum >sum && grep -qF "$site/7 200 text/html $(cat sum)" each.txt
result $? "a command is run once for each page, with URL, status and type as arguments and the body as its stdin"
crawl ignored --max-pages 20 --exec 'echo "$1"' && [ "$(sort -u ignored.out | wc -l)" = 20 ]
result $? "a command need not read its stdin, and its output is that of the crawl"
crawl late --max-pages 10 --exec 'sleep 0.05; echo' && [ "$(wc -l <late.out)" = 10 ]
result $? "a slow command slows the crawl"
crawl bad --max-pages 20 --exec 'case $1 in *[13579]) exit 3;; esac' && [ "$(crawled bad)" = 20 ] &&
	"$lycosa" crawl "$site/0" --store bad2 --delay 0 --max-pages 20 --exec 'exit 3' >/dev/null 2>bad2.err &&
	grep -q "^lycosa: the command of --exec has ended with status 3 at $site/0; -v tells every page$" bad2.err &&
	grep -q '^lycosa: pages whose command of --exec failed: 20$' bad2.err
result $? "a command that fails is told, and the crawl goes on"
crawl none --exec './no-such-program 2>/dev/null'
[ $? = 1 ] && grep -q 'has ended with status 127 at the first page, so it cannot be run' none.err && [ "$(crawled none)" = 0 ] &&
	crawl none --max-pages 5 --exec true && [ "$(crawled none)" = 5 ]
result $? "one that cannot be run ends the crawl, which goes on with a right one"
"$lycosa" crawl "$site/0" --store hangs --delay 0 --max-pages 3 --exec-timeout 300ms --exec 'exec 9>>held; flock -s 9
	sleep 1000 & exec sleep 1000' >/dev/null 2>problem && [ "$(crawled hangs)" = 3 ] &&
	grep -q "^lycosa: the command of --exec took more than 300 ms at $site/0, and was ended; -v tells every page$" problem &&
	grep -q '^lycosa: pages whose command of --exec failed: 3$' problem && flock held true # which all of them have held, until their end
result $? "a command that hangs is ended with what it has started, and its page is crawled"
background "$lycosa" crawl "$site/0" --store stopped --delay 0 -q --exec 'echo $$ >pid; exec sleep 1000' >/dev/null 2>stopped.err
pid=$!
wait_for pid '[0-9]' $pid && wait_until $pid in_vain kill -INT $pid
wait $pid
[ $? = 17 ] && ! kill -0 "$(cat pid)" 2>/dev/null && [ "$(crawled stopped)" = 0 ]
result $? "a second signal does not wait for the command, and its page is not crawled"

# --- what the network says
mkdir pages
: >pages/index.tsv
printf 'start.html\thttp://a.test/\n' >>pages/index.tsv
printf 'x.html\thttp://a.test/$(touch%%20ran)\nx.html\thttp://a.test/;touch%%20ran;`touch`\nx.html\thttp://a.test/%%27"|&>ran\n' >>pages/index.tsv
echo '<a href="/$(touch ran)">1</a> <a href="/;touch ran;`touch`">2</a> <a href="/&#39;&quot;|&amp;>ran">3</a>' >pages/start.html
echo 'fine' >pages/x.html
serve --pages pages
"$lycosa" crawl http://a.test/ --store hostile --connect-to "::127.0.0.1:$port" --delay 0 -q --exec 'echo "$1" >>hostile.urls' \
	--log-to 'cat >hostile.jsonl' >hostile.out 2>problem
{ [ ! -e ran ] && [ "$(wc -l <hostile.urls)" -ge 3 ] || { ls; cat hostile.urls hostile.jsonl; } ; } >>problem
grep -qF '$(touch%20ran)' hostile.urls || cat hostile.urls >>problem
verdict "URLs that are made for a shell are arguments, and nothing else"
"$lycosa" crawl --store each --print-config >config 2>problem
! grep -q '^#*log-to = .\|^#*exec = .' config && [ ! -s problem ]
result $? "a store keeps neither command"
