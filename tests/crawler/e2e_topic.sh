#!/bin/sh
# Focused crawls (--accept-text): a page whose text is not of the topic is kept, and its links are not followed.
. "$(dirname "$0")/../tap.sh"
needs jq
plan 8

mkdir pages
cat >make.awk <<'END'
# page NAME LINKS TEXT...: a file, and its line in index.tsv
{
	file = "pages/" $1 ".html"
	text = $0; sub(/^[^ ]+ [^ ]+ /, "", text)
	n = split($2, to, ",")
	printf "<html><head><title>%s</title><style>spider { }</style></head><body><p>%s</p>\n", $1, text >file
	for (i = 1; i <= n; i++) printf "<a href=/%s>%s</a>\n", to[i], to[i] >file
	printf "%s.html\thttp://t.test/%s\n", $1, ($1 == "seed" ? "" : $1) >"pages/index.tsv"
}
END
# a reader sees neither the style sheet of these pages nor the comment and the script of the last
awk -f make.awk <<'END'
seed on,off,titled-spider nothing of interest
on on2,off2 A wolf <b>spi</b>der waits
off beyond1 only cats and dogs
titled-spider on3 cats
on2 off spi&#100;ers with capitals: SPIDER
on3 - spider
off2 beyond2 <!-- spider --><script>var spider</script><p hidden>a</p>bees
beyond1 - spider
beyond2 - spider
END
serve --pages pages
# crawl STORE FLAG...
crawl() {
	store=$1
	shift
	"$lycosa" crawl http://t.test/ --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 -q "$@" >"$store.out" 2>"$store.err"
}
pages() { "$lycosa" store dump --store "$1" | awk -F '\t' 'NF == 3 && $2 == 200 { sub(".*/", "", $1); print $1 }' | LC_ALL=C sort | tr '\n' ' '; echo; }
crawl focused --accept-text 'spider' --log focused.jsonl
pages focused >got
echo ' off off2 on on2 on3 titled-spider ' | diff - got >problem
result $? "links of pages whose text or title matches are followed, and the seed's in any case"
jq -r 'select(.off_topic) | .url' focused.jsonl | sed 's,.*/,,' | LC_ALL=C sort >got
printf 'off\noff2\n' | diff - got >problem
result $? "the log says which pages are off the topic; they are kept as crawled"
"$lycosa" store dump --store focused | grep -c '^http://t.test/off	http' >problem
[ "$(cat problem)" = 0 ]
result $? "a page off the topic has no links in the store"
crawl two --accept-text 'spider' --max-pages 2 && crawl two --max-pages 0 && pages two >got && echo ' off off2 on on2 on3 titled-spider ' | diff - got >problem
result $? "a crawl that goes on keeps its topic"
crawl two --accept-text 'cats'
[ $? = 2 ] && grep -q -- "begun with --accept-text spider, not cats; .*--rescope" two.err
result $? "and changes it by --rescope alone"
says 2 'refers back to a group' "$lycosa" crawl http://127.0.0.1/ --store none --accept-text '(a+)\1' &&
	says 2 'no extended regular expression' "$lycosa" crawl http://127.0.0.1/ --store none --accept-text '(' && [ ! -e none ]
result $? "an expression whose time has no bound, or that is none, is refused"

# a megabyte of one line without a blank, and an expression that is slow where the text is long
{ echo '<p>'; head -c 1500000 /dev/zero | tr '\0' a; echo '</p><a href=/x>x</a>'; } >pages/long.html
printf 'long.html\thttp://t.test/long\nlong.html\thttp://t.test/x\n' >>pages/index.tsv
echo '<a href=/long>long</a>' >pages/seed.html
serve --pages pages
"$lycosa" crawl http://t.test/ --store slow --connect-to "::127.0.0.1:$port" --delay 0 -q --accept-text '(a|aa)*(a|aa)*b' >slow.out 2>problem
[ $? = 0 ] && [ "$(pages slow)" = ' long ' ]
result $? "a long text takes bounded time"
printf '%s' '<p>x' >pages/long.html
head -c 5000 /dev/zero | tr '\0' ' ' >>pages/long.html
printf '<p>%04095d topic here</p><a href=/x>x</a>' 0 >>pages/long.html
"$lycosa" crawl http://t.test/ --store cut --connect-to "::127.0.0.1:$port" --delay 0 -q --accept-text 'topic here' >cut.out 2>problem
[ "$(pages cut)" = ' long x ' ]
result $? "a long line is cut at its blanks"
