#!/bin/sh
# Pages that need a browser, given to a command (--render-cmd): its HTML takes their place, and a command that fails loses nothing. The last
# tests are with a real browser.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/archive/browser.sh"
. "$top/tests/traps/trap_crawls.sh"
needs jq
plan 8

site=http://app.test
store=plain
crawl $site/ --log plain.jsonl
[ "$(jq -r 'select(.event == "crawled") | .shell' plain.jsonl)" = true ] && grep -qx 'shells_now	1' summary
result $? "a page that scripts make is known as such, and has no links by itself"

store=made
cat >made.sh <<'END'
printf '%s|%s|%s|%s\n' "$1" "$2" "$3" "$(cksum)" >>asked.txt
echo '<html><title>Made</title><a href="/item/1">one</a> <a href="/item/2">two</a> <p>and text'
END
crawl $site/ --log made.jsonl --warc made --render-cmd 'sh made.sh "$@"'
{
	jq -r 'select(.event == "crawled") | "\(.url) \(.rendered) \(.shell)"' made.jsonl | LC_ALL=C sort >got
	printf '%s\n' "$site/ true null" "$site/item/1 null null" "$site/item/2 null null" | diff - got
	echo "$site/|app.test|127.0.0.1:$port|$(curl -s --connect-to "::127.0.0.1:$port" $site/ | cksum)" | diff - asked.txt
	grep -qx 'rendered_now	1' summary || cat summary
} >problem 2>&1
verdict "a command is shown the URL, the host, its address and the body of such a page alone, and its links are followed"

{
	"$lycosa" archive get made-*.gz --url $site/ | grep -q app.js || echo "the page as it was sent is not in the archive"
	gzip -dc made-*.gz | tr -d '\r' >records
	id=$(awk '/^WARC-Record-ID/ { id = $2 } /^WARC-Type/ { type = $2 } /^WARC-Target-URI: .*test\/$/ && type == "response" { print id }' records)
	grep -a -A 8 '^WARC-Type: conversion' records >conversion
	[ -n "$id" ] && grep -qxF "WARC-Refers-To: $id" conversion && grep -q '^<html><title>Made' conversion || cat conversion
} >problem 2>&1
verdict "the archive has both bodies: what was sent, and a conversion that refers to it"

# failed NAME COMMAND FLAG...: a command that fails, and what is said of it
failed() {
	store=$1 command=$2
	shift 2
	crawl $site/ --log "$store.jsonl" --render-cmd "$command" "$@"
	[ "$(jq -r 'select(.event == "crawled") | "\(.rendered) \(.shell)"' "$store.jsonl")" = "null true" ] ||
		cat "$store.jsonl" errors
}
{
	failed status 'echo "<a href=/item/3>x</a>"; exit 3'
	failed empty 'cat >/dev/null'
	failed late 'echo "<a href=/item/3>x</a>"; exec sleep 1000' --render-timeout 50ms
	failed long 'yes' --max-unpacked 100K
	grep -q 'the command of --render-cmd wrote more than 102400 bytes at http://app.test/, and was ended' errors || cat errors
} >problem 2>&1
verdict "a page whose command fails, writes nothing, takes too long or writes too much stays as it was sent"

"$lycosa" crawl --store absent --connect-to "::127.0.0.1:$port" --delay 0 -q $site/ --render-cmd './no-such-program 2>/dev/null' >out 2>errors
[ $? = 1 ] && grep -q '^lycosa: the command of --render-cmd has ended with status 127 at the first page, so it cannot be run' errors &&
	store=absent && crawl $site/ --render-cmd 'sh made.sh "$@"' && grep -qx 'crawled	3' summary
result $? "a command that cannot be run ends the crawl with status 1, and the same command goes on"

background "$lycosa" crawl --store cut --connect-to "::127.0.0.1:$port" --delay 0 $site/ --render-cmd 'echo >begun; exec sleep 1000' \
	--render-timeout 0 >out 2>errors
pid=$!
wait_for begun '' $pid
kill -INT $pid
wait_for errors 'awaited: 1' $pid
kill -INT $pid
wait $pid
[ $? = 17 ] && store=cut && crawl $site/ --render-cmd 'sh made.sh "$@"' && grep -qx 'crawled	3' summary
result $? "a second signal ends the command, and the page is rendered in the next sitting"

if [ -z "$browser" ]; then
	skip "a browser renders the page" "no chromium: NOTHING WAS RENDERED by a browser"
	skip "it reaches no other host" "no chromium: NOTHING WAS RENDERED by a browser"
	exit 0
fi
store=browser
cat >browser.sh <<END
exec $browser --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" --virtual-time-budget=10000 --dump-dom \\
	--host-resolver-rules="MAP \$2 \$3,MAP * ~NOTFOUND" "\$1" 2>/dev/null
END
crawl $site/ --log browser.jsonl --render-cmd 'sh browser.sh "$@"' --render-timeout 0
[ "$(jq -r 'select(.event == "crawled") | .url' browser.jsonl | grep -c "^$site/item/[0-7]$")" = 8 ] || cat summary errors requests >problem
verdict "a browser renders the page: what its scripts link to is crawled"
grep -q '^app.test .* /list.json' requests && ! grep -q elsewhere requests || cat requests >problem
verdict "it asks the page's own host alone, at the address that the crawl has asked"
