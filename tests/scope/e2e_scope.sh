#!/bin/sh
# Rules, and a scope that changes between two sittings.
. "$(dirname "$0")/../tap.sh"
plan 9

"$lycosa" graph generate --nodes 600 --arcs-per-node 8 --rng-seed 3 --to edges --write-urls web.urls web.txt
serve --graph web.txt --urls web.urls
cut -d / -f 1-3 web.urls | sort | uniq -c | sort -k 1nr -k 2 | awk '{ print $2 "/" }' >hosts
host=$(sed -n 1p hosts)
other=$(sed -n 2p hosts)
seed=$(grep "^$host" web.urls | head -n 1)

# crawl STORE ARGUMENTS: what is crawled into `order`, sorted
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$seed" --store "$store" --connect-to "::127.0.0.1:$port" --delay 0 -q \
		--order order --rejected rejected "$@" >summary 2>errors
	status=$?
	sort -o order order
}

user=$(echo "$seed" | sed 's|//|//user:secret@|')
"$lycosa" crawl "$user" "$seed" "$(echo "$seed" | sed 's|//|//other@|')" --store user --connect-to "::127.0.0.1:$port" --delay 0 \
	--max-pages 9 --order order --log log >summary 2>errors
{
	[ "$(grep -cx "$seed" order)" = 1 ] || { echo "the seed is not crawled once:"; cat order errors; }
	[ "$(sort -u order | wc -l)" = 9 ] || cat order
	grep -l secret user/* order log summary errors
	grep -q "user and password of the seed '$seed' are left out; --auth" errors || cat errors
	"$lycosa" store explain --store user "$user" >explained 2>&1 || cat explained
	"$lycosa" crawl "$user" --store user --dry-run >plan 2>&1
	grep -q secret plan && cat plan
} >problem
verdict "a page is one page, whatever user and password its URL has, and no password is kept"

printf '# all but one host and some pages\nreject regex [13]$\nreject prefix %s\naccept regex .\n' \
	"$other" >rules
crawl ruled --rules rules
{
	[ $status = 0 ] || cat errors
	grep -e "^$other" order
	grep '[13]$' order | grep -vx "$seed" # the seed belongs, whatever the rules say
	grep -vq "^$host" order || echo "nothing but $host"
	[ "$(cut -f 2 rejected | sort -u)" = rule ] || cut -f 2 rejected | sort | uniq -c
} >problem
verdict "rules are tried in their order, and the first decides"

{
	url=$(cut -f 1 rejected | grep '[13]$' | head -n 1)
	"$lycosa" store explain --store ruled "$url" >explained
	grep -qx '# rule: reject regex \[13\]\$' explained || cat explained
	grep -qx '# rule_line: 2' explained || cat explained
} >problem
verdict "explain names the rule"

crawl part -H --rules rules --max-pages 40
printf 'accept host x\n' >others
crawl part -H --rules others
[ $status = 2 ] && grep -q -- '--rules' errors || { echo "$status"; cat errors; } >problem
verdict "another scope is refused"

crawl whole -H
cp order everything
crawl part -H --rescope --no-max-pages
{
	[ $status = 0 ] || { echo "$status"; cat errors; }
	diff everything order
	[ ! -s rejected ] || head rejected
	"$lycosa" store verify --store part 2>&1 | grep -v 'is sound$'
	"$lycosa" store dump --store part >a && "$lycosa" store dump --store whole | diff - a
} >problem 2>&1
verdict "a scope made wider lets in what it kept out"

crawl narrow -H --max-pages 10
cp order before
crawl narrow --rescope --max-pages 14
cp order middle
crawl narrow --no-max-pages
{
	[ $status = 0 ] || { echo "$status"; cat errors; }
	comm -13 before order | grep -v "^$host"
	comm -23 middle order
	grep -qx 'queued	0' summary || cat summary
	"$lycosa" store verify --store narrow 2>&1 | grep -v 'is sound$'
	grep 'host$' rejected | cut -f 1 | while read -r url; do
		"$lycosa" store explain --store narrow "$url" | grep 'expelled.*host' && break
	done | grep -q . || echo "nothing was turned out, or explain does not tell"
} >problem 2>&1
verdict "a scope made narrower turns out what waits, also in the sittings to come"

crawl narrow -H --rescope --no-max-pages
diff everything order >problem
verdict "and wider again, all is found"

# page 3 is too deep by one way and not by the other: what let it in, or did not, is no longer known
# in the sittings to come
printf '%s\n' '0 1' '1 2' '2 3' '4 3' >ways.txt
serve --graph ways.txt
seed=http://node.test/0
crawl ways --max-depth 2
seed=http://node.test/4
crawl ways --max-pages 4
cp -r ways waiting
crawl ways --no-max-pages
for store in ways waiting; do
	crawl $store --rescope --max-depth 2 --reject-regex '/3$' --no-max-pages
	[ $status = 0 ] || { echo "$store"; cat errors; }
	for sitting in 1 2; do
		crawl $store --no-max-pages
		[ $status = 0 ] || { echo "$store"; cat errors; }
	done
	wc -l <order
	"$lycosa" store verify --store $store 2>&1 | grep -v 'is sound$'
done >problem 2>&1
[ "$(cat problem)" = '5
4' ]
result $? "a page that an earlier scope let in stays what it became"

{
	printf "accept host\n" >bad
	crawl bad --rules bad
	[ $status = 2 ] && [ "$(wc -l <errors)" = 1 ] && [ ! -e bad.store ] || cat errors
	crawl bad --trap-opt quories=1
	[ $status = 2 ] && grep -q "nearest is 'queries'" errors || cat errors
	crawl bad --rules nothing
	[ $status = 3 ] || cat errors
	[ ! -d bad ] || echo "a store was made"
} >problem
verdict "what is no rule, no limit, no file makes no store"
