#!/bin/sh
# A site with every trap beside its pages: the site is found whole, and each trap is left with so
# many of its pages fetched.
. "$(dirname "$0")/tap.sh"
plan 13

mkfifo stay
"$build/tests/trap_server" <stay >server.out 2>>requests &
servers="$servers $!"
exec 3>stay # the server ends when this does
wait_for server.out '^listening on' || exit 1
port=$(sed -n 's/^listening on 127.0.0.1://p' server.out)

# crawl ARGUMENTS: site.test into the store of the name $store
crawl() {
	: >requests
	"$lycosa" crawl http://site.test/ --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 \
		-q "$@" >summary 2>errors
}

# asked PATTERN: how many requests match
asked() { grep -c -- "$1" requests; }

# most N PATTERN: no more than N requests match, and one does
most() {
	n=$(asked "$2")
	[ "$n" -ge 1 ] && [ "$n" -le "$1" ] || echo "$2: $n pages were fetched, $1 are allowed" >>problem
}

whole() { [ "$(asked '^site.test /\(page-.*\)\{0,1\}$')" -eq 127 ] || { echo "$(asked '^site.test') pages of site.test"; cat errors; } >>problem; }

store=plain
crawl --rejected rejected --trap-opt alike-bits=4 --trap-opt past=5
whole
verdict "a site with traps is found whole"
most 132 '/calendar/'
verdict "a calendar is left five years from now to either side: 132 months, or fewer"
most 4 '/echo/'
verdict "a path that repeats itself is left after the fourth time"
most 70 '/lost/'
verdict "a soft 404 is left after 70 pages at most"
most 75 '/shop'
verdict "session ids are left after 75 pages, where near-copies count"
most 75 '/facets'
verdict "queries without end are left after 75 pages, where near-copies count"

{
	for reason in calendar repeats copy trap host; do
		cut -f 2 rejected | grep -qx $reason || echo "nothing is rejected for '$reason'"
	done
	[ "$(sort -u rejected | wc -l)" -eq "$(wc -l <rejected)" ] || echo "told twice"
	for reason in $(cut -f 2 rejected | sort -u); do
		grep -qx "refused_$reason	$(cut -f 2 rejected | grep -cx "$reason")" summary ||
			echo "the summary counts '$reason' otherwise"
	done
	url=$(awk -F '\t' '$2 == "calendar" { print $1; exit }' rejected)
	"$lycosa" store explain --store plain "$url" | grep -q '^# out_of_scope: calendar' ||
		echo "explain does not say why"
	"$lycosa" store verify --store plain 2>&1
} >problem
sed -i '/is sound$/d' problem
verdict "what is rejected is listed, counted and explained"

store=default
crawl
whole
most 90 '/calendar/'
most 90 '/shop'
most 200 '/facets'
most 70 '/lost/'
most 4 '/echo/'
verdict "as it comes, a crawl leaves each of them after 90 pages, queries after 200"

store=queries
crawl --trap-opt queries=40
whole
most 41 '/shop'
most 41 '/facets'
verdict "a path is asked for with so many queries, whatever comes"

store=mirror
crawl -D site.test,mirror.test --trap-opt queries=10 --trap-opt mirror=20
most 795 /calendar/ # sixty years back and five on
whole
most 30 '^mirror.test'
verdict "a mirror is left after 30 of its pages"

store=farm
crawl -H --trap-opt queries=10 --trap-opt hosts=20 --parallel 4
whole
most 20 'farm.test'
verdict "a farm of hosts is left after as many as a domain may have"

store=budget
crawl -D site.test,mirror.test --max-per-host 50 --trap-opt queries=10 --rejected rejected
[ "$(asked '^site.test')" -eq 50 ] && [ "$(asked '^mirror.test')" -le 50 ] &&
	cut -f 2 rejected | grep -qx budget || { cat requests errors; } >problem
verdict "a host has its budget"

# the same in several sittings: what was learnt of traps is known again
store=parts
: >all
for pages in 30 60 90 120 150 180 0; do
	crawl --trap-opt queries=40 --trap-opt past=5 --max-pages $pages --total 1000 --batch 100
	cat requests >>all
done
mv all requests
whole
most 41 '/facets'
most 132 '/calendar/'
most 70 '/lost/'
verdict "a crawl in parts leaves traps as one in a go does"
