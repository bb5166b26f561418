#!/bin/sh
# Run by hand, in the folder of a build: crawls the sites of the tests of traps, each by itself, with lycosa, wget2 and Scrapy as they come,
# and writes the rows of the table of doc/traps.md that has the pages lost and the requests wasted. The server answers 410 to the requests to
# a site beyond MOST (2,500); a site without end that is crawled so far has a "more than" in the table. Requests of robots.txt and those
# answered 404 are not counted. A crawler that is not installed has "-" in its columns, and stderr says so.
#
#	sh ../tests/traps/beside_others.sh >rows.md
#	sh ../tests/traps/beside_others.sh month-path.test git.test >rows.md     these sites alone
#	CRAWLERS="lycosa wget2" sh ../tests/traps/beside_others.sh >rows.md      these crawlers alone
most=${MOST:-2500}
. "$(dirname "$0")/../tap.sh"
. "$top/tests/traps/trap_crawls.sh"
exec 3>&- # each crawler has a server of its own

# the sites of one host that have fewer pages than MOST, and the families
{
	grep -v 'mirror\|farm\|spam\|wild' table | awk -v most="$most" '$2 < most { print $1, $2, "site" }'
	awk '{ print $1, $2, "kind" }' kinds
	"$build/tests/traps/trap_server" list
} >all
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else cut -d ' ' -f 1 all; fi >wanted
awk 'FNR == NR { wanted[$1] = 1; next } $1 in wanted' wanted all >sites

by_lycosa() {
	"$lycosa" crawl --store "s-$1" --connect-to "::127.0.0.1:$port" --delay 0 -q "http://$1/" >/dev/null 2>&1
	rm -rf "s-$1"
}

by_wget2() {
	timeout 60 wget2 -q -r -l 0 --http-proxy="127.0.0.1:$port" --delete-after -P w "http://$1/" >/dev/null 2>&1
	rm -rf w
}

# Scrapy takes a second to begin: one spider crawls every site
cat >spider.py <<'END'
import sys
from urllib.parse import urlsplit

import scrapy
import scrapy.exceptions
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Drop:
    """Drops the requests to a site that has answered 410."""

    over = set()

    def process_request(self, request, spider):
        if urlsplit(request.url).netloc in self.over:
            raise scrapy.exceptions.IgnoreRequest()

    def process_response(self, request, response, spider):
        if response.status == 410:
            self.over.add(urlsplit(request.url).netloc)
        return response


class Follow(scrapy.Spider):
    name = "follow"
    start_urls = ["http://" + host + "/" for host in sys.argv[1:]]
    links = LinkExtractor()

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                if urlsplit(link.url).netloc == urlsplit(response.url).netloc:
                    yield scrapy.Request(link.url)


process = CrawlerProcess({"LOG_ENABLED": False, "DOWNLOADER_MIDDLEWARES": {Drop: 100}})
process.crawl(Follow)
process.start()
END

# served CRAWLER: a server of its own, whose log is $1.requests
served() {
	rm -f stay
	mkfifo stay
	"$build/tests/traps/trap_server" "$most" <stay >"$1.server" 2>"$1.requests" &
	server=$!
	exec 3>stay
	wait_for "$1.server" '^listening on' || exit 1
	port=$(sed -n 's/^listening on 127.0.0.1://p' "$1.server")
}

for crawler in ${CRAWLERS:-lycosa wget2 scrapy}; do
	if [ $crawler != lycosa ] && ! command -v $crawler >/dev/null; then
		echo "no $crawler here: its columns stay empty (Debian's wget2, python3-scrapy)" >&2
		continue
	fi
	served $crawler
	if [ $crawler = scrapy ]; then
		# shellcheck disable=SC2046 # words
		http_proxy=http://127.0.0.1:$port "$(sed -n '1s/^#! *//p' "$(command -v scrapy)")" spider.py $(cut -d ' ' -f 1 sites) </dev/null
	else
		while read -r host _; do
			by_$crawler "$host" </dev/null
		done <sites
	fi
	exec 3>&-
	wait $server
	awk -v crawler=$crawler '
		$2 == "404" { next }
		$2 == "410" { over[$1] = 1; next }
		{ asked[$1]++ }
		$2 != "-" && !(($1, $2) in had) { had[$1, $2] = 1; own[$1]++ }
		END { for (host in asked) print host, crawler, own[host] + 0, asked[host], over[host] + 0 }' $crawler.requests
done >asked

echo "| site | pages | lycosa: lost, wasted | wget2 | Scrapy |"
echo "| --- | ---: | ---: | ---: | ---: |"
awk '
	function cell(site, crawler) {
		if (!(crawler in ran)) return "-"
		return (pages[site] - own[site, crawler]) ", " (over[site, crawler] ? "more than " : "") wasted[site, crawler] + 0
	}
	function row(site) {
		printf "| %s | %d | %s | %s | %s |\n", site, pages[site], cell(site, "lycosa"), cell(site, "wget2"), cell(site, "scrapy")
	}
	FILENAME == "asked" {
		own[$1, $2] = $3; wasted[$1, $2] = $4 - $3; over[$1, $2] = $5; ran[$2] = 1
		next
	}
	{ site = $1; sub(/\.test$/, "", site); name[++n] = $3 == "finite" ? "finite families" : site; order[n] = $1 }
	{ pages[name[n]] += $2 }
	{
		for (crawler in ran) {
			if (name[n] != $1) {
				own[name[n], crawler] += own[$1, crawler]
				wasted[name[n], crawler] += wasted[$1, crawler]
				over[name[n], crawler] += over[$1, crawler]
			}
		}
	}
	END { for (i = 1; i <= n; i++) if (!(name[i] in done)) { done[name[i]] = 1; row(name[i]) } }' asked sites
