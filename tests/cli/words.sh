#!/bin/sh
# What a newcomer meets first: words that say what is the matter, and what to do.
. "$(dirname "$0")/../tap.sh"
plan 19

"$lycosa" graph generate --nodes 60 --to edges --write-urls web.urls web.txt
serve --graph web.txt
web="-H --connect-to ::127.0.0.1:$port --delay 0"

# hint TEXT FLAG...: refused with a hint
hint() {
	text=$1
	shift
	"$lycosa" crawl --store none "$@" http://127.0.0.1:9/ >results 2>errors
	[ $? = 2 ] && [ "$(wc -l <errors)" = 1 ] && grep -q -e "$text" errors && [ ! -e none ] && return
	echo "$*: $(cat errors)"
}
{
	hint "'-r' is wget's; here: .*--max-depth" -r
	hint "'-np' is wget's; here: --no-parent" -np
	hint "'-P' is wget's; here: --mirror" -P folder
	hint "'-o' is wget's; here: --log" -o file
	hint "'-w' is wget's; here: --delay" -w 2
	hint "'-l' is wget's; here: --max-depth" -l 3
	hint "'--level' is wget's; here: --max-depth" --level=3
	hint "'--wait' is wget's; here: --delay" --wait=3
	hint "'--warc-file' is wget's; here: --warc" --warc-file=x
	hint "'-b' is curl's; here: --load-cookies" -b x
	hint "'--max-redirs' is curl's; here: --max-redirect" --max-redirs 3
	printf 'level = 3\n' >wget.conf
	hint "wget.conf:1: '--level' is wget's; here: --max-depth" --config wget.conf
} >problem
verdict "flags of wget and curl name ours"

# the table in the manual has the same hints, but for -p, which is ours as well
sed -n '/FOR THOSE WHO KNOW WGET/,/^\.El/p' "$top/doc/man/lycosa-crawl.1" | grep '^\.It Li' |
	sed 's/^\.It Li "\([^"]*\)".*/\1/' | tr ', ' '\n\n' | grep '^-' | grep -vx -e -p | sort -u >named
{
	[ "$(wc -l <named)" -gt 20 ] || cat named
	"$lycosa" crawl --help=all >ours
	while read -r flag; do
		grep -q -e "^ *$flag, --" ours || hint "'$flag' is wget's; here: " "$flag"
	done <named
} >problem
verdict "and so does each that the manual's table has"

seed=$(sed -n '1s/http:..//p' web.urls)
"$lycosa" crawl "$seed" --store bare --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 3 -q >results 2>problem &&
	"$lycosa" store dump --store bare | grep -q "^http://$seed	200"
result $? "a seed needs no scheme"
{
	"$lycosa" crawl example.org/a --store none 2>&1 | grep -q "'http://example.org/a' is not on this machine" || echo "example.org/a"
	"$lycosa" crawl word --store none 2>&1 | grep -q "seed 'word' is no URL; http://example.org/ is one" || echo "word"
	for url in http://me:se-cret@example.org/ http://me:se-cret@example.org:99999/ ftp://me:se-cret@example.org/ "http://me:se-cret@@a b/" \
		'http://me:se/cret@example.org:x/'; do
		"$lycosa" crawl "$url" --store none 2>&1 | grep -e cret && echo "a password is told: $url"
	done
	"$lycosa" crawl mailto:me@example.org --store none 2>&1 | grep -q "is not http or https" || echo "mailto:"
	"$lycosa" crawl --seeds random:3 --store none 2>&1 | grep -q "random:3: that is a rule for graphs" || echo "a rule"
	[ ! -e none ] || echo "a store was made"
} >problem
verdict "and a word is none"
"$lycosa" crawl http://127.0.0.1:1/ --store vain --tries 2 --delay 0 --progress none >results 2>problem
grep -q 'http://127.0.0.1:1/: .* host cannot be connected to; it is tried again' problem
result $? "a crawl whose first request is in vain says why, and that it goes on"

{
	"$lycosa" crawl "$seed" --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 3 >results 2>errors || cat errors
	grep -q "kept in '${seed%%/*}.crawl'" errors || cat errors
	"$lycosa" crawl "http://$seed" --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 5 >results 2>errors || cat errors
	grep -q "resumed in '${seed%%/*}.crawl'" errors || cat errors
	"$lycosa" store info --store "${seed%%/*}.crawl" | grep -qx 'crawled	5' || echo "no 5 pages"
	"$lycosa" crawl "http://127.0.0.1:$port/nothing" --delay 0 >results 2>&1
	[ -d "127.0.0.1-$port.crawl" ] || echo "no folder with a port"
	says 2 "is not on this machine: say with --contact" "$lycosa" crawl http://example.org/ || cat problem
	status 2 "$lycosa" crawl || cat problem
	grep -q "name a URL" errors || cat errors
	status 2 "$lycosa" crawl mailto:me@example.org || cat problem
	grep -q "is not http or https" errors || cat errors
} >wrong
[ ! -s wrong ] || cp wrong problem
verdict "a crawl without --store is kept in a folder that bears the first seed's host"

printf '%s\n' http://127.0.0.1:9/ http://127.0.0.1:9/a "http://127.0.0.1:$port/nothing" >bad.txt
"$lycosa" crawl --seeds bad.txt --store bad --delay 0 --tries 1 -q >results 2>errors
[ $? = 4 ] && grep -q 'every seed failed (.*1 status 404.*)' errors && grep -q '[12] [a-z]*: [a-z ]*' errors &&
	grep -q "store explain --store bad URL" errors
status=$?
[ $status = 0 ] || cp errors problem
result $status "why every seed failed is told, with counts"

touch narrow.so
{
	for verb in "crawl --store none --policy" "replay --graph web.txt --seeds random:1 --policy" \
		"crawl --store bare --swap-policy"; do
		"$lycosa" $verb narrow.so 2>&1 | grep -q "a file is named with its folder: './narrow.so'" || echo "$verb"
	done
} >problem
verdict "a policy's file without its folder: ./narrow.so"

"$lycosa" crawl --store bare --connect-to "::127.0.0.1:$port" --policy bfs >results 2>errors
[ $? = 2 ] && grep -q 'begun with --policy scout, not bfs; .*--swap-policy' errors &&
	{ "$lycosa" crawl --store bare --connect-to "::127.0.0.1:$port" --max-depth 3 >results 2>errors; [ $? = 2 ]; } &&
	grep -q 'begun without --max-depth; .*--rescope' errors
result $? "what a store keeps is told with the way to change it"

# shellcheck disable=SC2086 # words
{
	"$lycosa" crawl --seeds web.urls --connect-to "::127.0.0.1:$port" --store defaults --max-pages 2 --delay 0 >results 2>errors
	"$lycosa" crawl --store defaults --connect-to "::127.0.0.1:$port" >results 2>again
	"$lycosa" crawl --seeds web.urls $web --store chosen --policy bfs --max-pages 2 >results 2>none
} >problem
grep -q 'by the defaults: its policy is scout (--policy; .*), it stays on the hosts of its seeds (-H or -D)$' errors || cp errors problem
grep -h 'by the defaults' again none >>problem
verdict "a new crawl tells the defaults that it goes by, and nothing else"
"$lycosa" crawl --store defaults --connect-to "::127.0.0.1:$port" --refresh >results 2>errors
grep -q '^visited	2$' results && ! grep -q 'nothing was left' errors && "$lycosa" crawl --store defaults --connect-to "::127.0.0.1:$port" 2>&1 >results | grep -q 'nothing was left to do'
result $? "a sitting that has visited pages again is not told that nothing was left to do"
{
	"$lycosa" crawl --seeds web.urls --store web.txt $web 2>&1 | grep -q "'web.txt' is a file, and a store is a folder" || echo "a file as store"
	while read -r rule near; do
		"$lycosa" replay --graph web.txt --seeds "$rule" 2>&1 | grep -q "the nearest rule is '$near'" || echo "$rule"
	done <<-END
		radnom:3 random:N
		pagernk:3 pagerank:N
		rots roots
	END
	"$lycosa" replay --graph web.txt --seeds nothing-like-it 2>&1 | grep -q "cannot open 'nothing-like-it'" || echo "a file of seeds"
} >problem
verdict "a store that is a file, and rules of seeds that are mistyped"

# shellcheck disable=SC2086 # words
"$lycosa" crawl --seeds web.urls --store told $web --max-pages 5 -v >results 2>errors
[ $? = 0 ] && [ "$(grep -c '^lycosa: http://.*: crawled, status 200, [0-9]* bytes$' errors)" = 5 ] &&
	"$lycosa" crawl --help=all | grep -q -e '--verbose  *print more on stderr'
result $? "-v has a line for each page"

# shellcheck disable=SC2086 # words
"$lycosa" crawl --seeds web.urls --store turned $web --log all.log --policy bfs >results 2>errors
mkdir -p logs && ln -s logs/real.log turned.log && ln -s nowhere logs/real.log.2
# shellcheck disable=SC2086 # words
"$lycosa" crawl --seeds web.urls --store turned2 $web --log turned.log --log-size 3K --policy bfs >results 2>errors
{
	[ $? = 0 ] && [ -L turned.log ] && [ -L logs/real.log.2 ] && [ -e logs/real.log.3 ] && [ -e logs/real.log.1 ] || { cat errors; ls -l . logs; }
	urls() { cat "$@" | sed 's/.*"url":"\([^"]*\)".*/\1/'; }
	# shellcheck disable=SC2046 # their numbers have no blanks
	urls $(find logs -type f -name 'real.log.*' | sort -t . -k 3n) turned.log >turned.urls
	urls all.log >all.urls
	cmp all.urls turned.urls
	find logs -name 'real.log*' -size +6 -exec ls -l {} +
} >problem 2>&1
verdict "--log-size turns the log, no line lost or out of place"

# shellcheck disable=SC2086 # words
"$lycosa" crawl --seeds web.urls --store turned3 $web --log moved.log --log-size 3K --policy bfs \
	--exec 'cat >/dev/null; [ -e away ] || mv moved.log away' >results 2>errors
{
	[ $? = 0 ] && [ -e away ] && [ -e moved.log ] || { cat errors; ls -l; }
	# shellcheck disable=SC2046 # their numbers have no blanks
	urls away $(find . -name 'moved.log.*' | sort -t . -k 4n) moved.log | cmp - all.urls
} >problem 2>&1
verdict "a full log that somebody has moved away is left to him, and no line is lost"

# logrotate: the file is moved away, and SIGHUP makes a new one
kill "$server" && wait "$server" 2>/dev/null
serve --graph web.txt --faults slow=1:50ms
# shellcheck disable=SC2086 # words
background "$lycosa" crawl --seeds web.urls --store rotated -H --connect-to "::127.0.0.1:$port" --delay 0 --parallel 1 --log page.log \
	--policy bfs >results 2>errors
pid=$!
wait_for page.log . $pid
mv page.log page.log.1
kill -HUP $pid
wait_for page.log . $pid
wait $pid
{
	[ $? = 0 ] && grep -qx 'end	done' results || cat errors
	[ -s page.log ] && [ -s page.log.1 ] || ls -l
	grep -q 'the log is opened again' errors || cat errors
	n=$(cat page.log.1 page.log | grep -c '"event":"crawled"')
	[ "$n" = "$(awk '$1 == "crawled" { print $2 }' results)" ] || echo "$n lines"
	grep -v '^{"time":.*}$' page.log page.log.1
} >problem
verdict "SIGHUP opens the log again, no line lost"

{
	for n in 1k 1.5k 0.002M; do
		# shellcheck disable=SC2086 # words
		"$lycosa" crawl http://h0.test/0 --store none $web --max-pages $n --max-time 1h30m --max-bytes 1.5G --dry-run |
			grep -e max-pages -e max-time -e max-bytes
	done
} >shown 2>problem
[ "$(grep -c 'max-pages = \(1000\|1500\|2000\) ' shown)" = 3 ] && grep -q 'max-time = 5400s' shown && grep -q 'max-bytes = 1536M' shown
result $? "numbers are read as they are typed: 1k, 1h30m, 1.5G"

crawl_help() { "$lycosa" crawl --help="$1" 2>errors; }
"$lycosa" crawl --help=all >results && ! grep -q -e '--level' -e '--per-host ' results &&
	"$lycosa" crawl --store old --per-host 3 --print-config 2>errors | grep -qx 'parallel-per-host = 3' &&
	grep -qx 'lycosa: --per-host is now called --parallel-per-host' errors && [ "$(wc -l <errors)" = 1 ] &&
	! crawl_help most
result $? "an old name works, and says its new one once"

core=$build/lycosa-core
says 2 'this lycosa has no agents: install' "$core" crawl --join nats://127.0.0.1:1/x --store none &&
	"$core" replay --graph web.txt --seeds roots --policy bfs --order - -q >results 2>problem && [ "$(wc -l <results)" -gt 1 ] &&
	! grep -q -e "libnats\.so" -e "libhogweed\.so" "$core"
result $? "the core of lycosa says which package has the agents, needs none of their libraries, and does all else"
