# Sourced by the tests of traps, after tap.sh: sites with traps, and sites that look like one (tests/traps/trap_server.c), served on $port;
# crawls of them, and what they may fetch in vain. Where $most is set, the server answers 410 to all requests to a host beyond so many.

# host, pages that it has, and that may be fetched in vain: twice what it cost when traps were refused at once. The
# days of the week and the months make 84 texts of a day's page: the first of the three calendars of days to be
# crawled pays for them, whichever it is; what named.test (139 to 229 here) and sites of session ids, which are drawn at random, cost
# differs from crawl to crawl, and has twice the most that was seen
cat >table <<'END'
month-path.test 63 150
month-dash.test 63 130
month-query.test 63 130
day-path.test 63 600
day-query.test 63 600
day-stamp.test 63 600
week-offset.test 63 250
views.test 63 1000
named.test 63 460
session-semicolon.test 63 30
session-named.test 63 30
session-folder.test 63 100
session-short.test 63 100
session-unknown.test 63 100
session-number.test 63 100
session-second.test 63 100
grow.test 63 14
pair.test 63 100
folders.test 63 450
path-info.test 63 654
facets.test 63 320
filters.test 63 1050
search.test 63 136
lost.test 63 392
quoted.test 63 408
lost-at-root.test 63 138
lost-in-folder.test 63 132
mirror.test 504 100
mirror-folder.test 504 100
farm.test 63 300
random-farm.test 63 2000
spam.test 63 260
counted.test 63 134
beyond.test 69 134
wild.test 63 762
tides.test 63 1025
deeper.test 63 150
articles.test 5101 0
numbers.test 1000 0
blog.test 1153 0
wiki.test 960 1
mails.test 1000 0
reference.test 775 0
shop.test 600 0
album.test 300 0
forum.test 1000 0
results.test 150 0
stops.test 150 0
lists.test 900 0
END
rows=$(wc -l <table)

# the same for sites as programs in wide use make them (tests/traps/kind_sites.c)
cat >kinds <<'END'
git.test 906 1
pipermail.test 385 6
posts.test 207 520
encyclopedia.test 600 742
topics.test 446 520
board.test 304 726
javadoc.test 302 620
manual.test 600 262
agenda.test 89 1030
clothes.test 391 128
market.test 211 1050
japanese.test 300 0
arabic.test 300 0
hindi.test 300 0
chapters.test 300 0
films.test 300 0
opac.test 300 0
routes.test 1 0
forms.test 120 102
faults.test 502 34
listing.test 241 660
law.test 300 0
members.test 200 1040
paths.test 100 70
family.test 600 22
questions.test 300 1522
gone.test 51 186
notes.test 73 1025
globe.test 1 1025
feed.test 17 0
END

mkfifo stay
"$build/tests/traps/trap_server" "${most:-0}" <stay >server.out 2>>requests &
servers="$servers $!"
exec 3>stay # the server ends when this does
wait_for server.out '^listening on' || exit 1
port=$(sed -n 's/^listening on 127.0.0.1://p' server.out)
sed 's|\([^ ]*\) .*|http://\1/|' table >seeds

# an allowance of fewer near-duplicates in a row than as it comes
small="--trap-opt duplicates=80"

# crawl ARGUMENTS: into the store of the name $store
crawl() {
	: >requests
	"$lycosa" crawl --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 -q "$@" >summary 2>errors ||
		{ echo "status $?: crawl --store $store $*"; cat summary errors; } >>ended
}

# fetched: of each site, its pages and those in vain; farms and mirrors are sites of several hosts, one of
# several domains
fetched() {
	awk '{
		n = split($1, part, "."); site = part[n - 1] "." part[n]
		sub(/^.*-spam/, "spam", site)
		if ($2 == "404") next
		if ($2 == "-" || (site, $2) in had) vain[site]++
		else { had[site, $2] = 1; own[site]++ }
	}
	END { for (site in own) print site, own[site], vain[site] + 0 }' requests
}

# judge_sites NAME TABLE: a test a row of the table; a page more than the site has is one in vain, at an address that lycosa has made up
judge_sites() {
	fetched >fetched
	while read -r site pages vain; do
		awk -v site="$site" -v pages="$pages" -v vain="$vain" '
			$1 == site { found = 1; if ($2 < pages || $2 - pages + $3 > vain) print }
			END { if (!found) print site " is not there" }' fetched >problem
		verdict "$1: $site is found whole, $vain pages at most in vain"
	done <"$2"
}

# judge NAME: the same of the sites with traps
judge() {
	judge_sites "$1" table
	awk '$1 ~ /^day-/ { vain += $3 } END { if (vain > 1068) print "in vain: " vain }' fetched >problem
	verdict "$1: three calendars of days cost no more than 1068 pages in vain"
}

# vain N SITE: the trap was met, and left after N pages
vain() {
	fetched | awk -v site="$2" -v n="$1" '
		$1 == site { found = 1; if ($3 < 1 || $3 > n) print }
		END { if (!found) print site " is not there" }' >>problem
}

# ended_well: the last test of a script
ended_well() {
	[ ! -s ended ] || mv ended problem
	verdict "every crawl ended well"
}
