#!/bin/sh
# The kinds of links: which a crawl follows by default, which --follow adds and takes away, and how 'store explain' names one that was
# not followed.
. "$(dirname "$0")/../tap.sh"
plan 5

mkdir pages
host=http://kinds.test
cat >pages/index.html <<'END'
<link rel=next href=/next><link rel=alternate hreflang=de href=/de><link rel=stylesheet href=/style>
<link rel=alternate type=application/rss+xml href=/feed>
<iframe srcdoc="<a href=/inner>x</a>"></iframe><object data=/object></object><a rel=nofollow href=/nofollow>x</a><img src=/image>
END
cat >pages/feed.xml <<'END'
<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<item><link>/item</link></item></rdf:RDF>
END
printf 'index.html\t%s/\nfeed.xml\t%s/feed\n' $host $host >pages/index.tsv
for page in next de style inner object nofollow image item; do
	echo "<title>$page</title><p>$page" >pages/$page.html
	printf '%s.html\t%s/%s\n' $page $host $page >>pages/index.tsv
done
serve --pages pages
# crawl STORE [ARGUMENTS]: prints the paths of the pages that were crawled
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$host/" --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 "$@" >summary 2>talk || cat talk
	"$lycosa" store dump --store "$store" --crawled 2>/dev/null | sed "s|.*$host/||" | LC_ALL=C sort | tr '\n' ' '
}

{
	[ "$(crawl default --warc archive)" = " de feed inner item next " ] || crawl default
} >problem 2>&1
verdict "by default a crawl follows the next part, translations, feeds with their items, and the document in an iframe"
{
	[ "$(crawl more --follow object,link)" = " de feed inner item next object style " ] || crawl more
	[ "$(crawl fewer --follow none,a,next)" = " next " ] || crawl fewer
	[ "$(crawl less --follow no-alternate)" = " de inner next " ] || crawl less
} >problem 2>&1
verdict "--follow adds kinds and takes them away"

says 2 "there is no 'objects'; the nearest is 'object'" "$lycosa" crawl "$host/" --store no --follow objects
result $? "a kind that there is not is named with the nearest"

# explains STORE PATH TEXT [ARGUMENTS]
explains() {
	store=$1 path=$2 text=$3
	shift 3
	"$lycosa" store explain --store "$store" "$host/$path" "$@" >out 2>&1
	grep -q -- "$text" out || { echo "$store $path: $text"; cat out; }
}
{
	explains default object "the link of '$host/' is of the kind object (object.data., embed.src.); --follow object follows it" --warc archive
	explains default style "of the kind link (.*); --follow link follows it" --warc archive
	explains default nofollow "of the kind nofollow; see --heed" --warc archive
	explains default image "of the kind requisite (.*); --requisites" --warc archive
	explains default nowhere "no archived page links to it; kinds that are not followed: nofollow, link, sitemap, object" --warc archive
} >problem 2>&1
verdict "the archive tells of which kind the link was that was not followed, and how it is"
{
	explains less item "no link that was followed leads to it; kinds that are not followed: nofollow, link, sitemap, alternate, object"
	explains default object "no link that was followed leads to it"
	explains default next "first_linked_from: $host/"
} >problem 2>&1
verdict "without an archive the kinds are named that the crawl does not follow"
