#!/bin/sh
# Sites with traps, and sites that look like one, with an allowance of 80 near-duplicates in a row for each place (as
# it comes, it is 1,000: see test_traps_families.c): each trap is left with so many pages fetched in vain,
# and all that is no trap is found. With TRAPS=table what was fetched is printed, for doc/traps.md: of each site its pages, the pages
# fetched in vain, the URLs deferred and skipped, and of the deferred ones the URLs of pages of the site that no other URL had led to.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/traps/trap_crawls.sh"
plan $((rows + 1 + 14))

store=plain
log=
[ "${TRAPS:-}" != table ] || log="--log plain.jsonl"
# shellcheck disable=SC2086 # words
crawl --seeds seeds -D test $small --trap-opt mirror=4 --rejected rejected $log
cp rejected plain.rejected
judge "with an allowance of 80"
if [ "${TRAPS:-}" = table ]; then
	{
		jq -r 'select(.event == "put-off") | "put_off " + .url' plain.jsonl | sort -u
		sed 's/^/skipped /; s/\t.*//' plain.rejected
		sed 's/^/asked /' requests
	} | awk '
		function site(host, part, n) {
			n = split(host, part, ".")
			return sub(/^.*-spam/, "spam", part[n - 1]) ? "spam.test" : part[n - 1] "." part[n]
		}
		{ url = $2; sub(/^https?:\/\//, "", url); host = url; sub(/\/.*/, "", host); s = site(host) }
		$1 == "put_off" { off[url] = 1; offs[s]++ }
		$1 == "skipped" { skipped[s]++ }
		$1 == "asked" && $3 != "-" && $3 != "404" && !((s, $3) in had) { had[s, $3] = 1; lost[s] += (host $4) in off }
		END { for (s in offs) print s, "deferred", offs[s], "skipped", skipped[s] + 0, "in vain", lost[s] + 0 }' >kept
	sort fetched kept | sed 's/^/# /' >&2
fi

{
	for reason in repeats session-id hosts duplicate mirror; do
		cut -f 2 rejected | grep -qx $reason || echo "nothing is rejected for '$reason'"
	done
	[ "$(sort -u rejected | wc -l)" -eq "$(wc -l <rejected)" ] || echo "told twice"
	for reason in $(cut -f 2 rejected | sort -u); do
		grep -qx "refused_$reason	$(cut -f 2 rejected | grep -cx "$reason")" summary ||
			echo "the summary counts '$reason' otherwise"
	done
	for reason in duplicate mirror; do
		url=$(awk -F '\t' -v reason=$reason '$2 == reason { print $1; exit }' rejected)
		"$lycosa" store explain --store plain "$url" | grep -q "^# \(out_of_scope\|error\): $reason" ||
			echo "explain does not say why"
	done
	"$lycosa" store verify --store plain 2>&1
} >problem
sed -i '/is sound$/d' problem
verdict "what is rejected is listed, counted and explained"

# a calendar of days alone pays for all texts of its pages; when traps were refused at once, it cost 406 pages
for site in day-path.test day-query.test day-stamp.test; do
	store=alone-$site
	crawl "http://$site/" $small
	vain 812 "$site"
	fetched | awk -v site="$site" '$1 == site && $2 != 63' >>problem
done
verdict "a calendar of days by itself costs no more than 812 pages in vain"

# explained REASON HOST PLACE OPTION: of a page of the host that was skipped for this reason, `explain` names the
# detector, the place, the original and what would change the decision
explained() {
	url=$(awk -F '\t' -v reason="$1" -v host="$2/" '$2 == reason && index($1, host) { print $1; exit }' plain.rejected)
	"$lycosa" store explain --store plain "$url" >told
	for line in "detector: $1" "place: $3" 'duplicate_of: http' 'confirmed_in_a_row: [1-9]' \
		"would_change: a page of the place that differs" "remedy: .*--trap-opt $4=0"; do
		grep -q "^# $line" told || { echo "no $line"; cat told; }
	done
}
{
	explained mirror .test 'mirror http://' mirror
	explained session-id session-folder.test 'values drawn at random in .* of session-folder.test' session-ids
	explained repeats grow.test 'folder http://grow.test/' repeats
	explained duplicate lost.test '\(folder\|host\) .*lost.test' duplicates
} >problem 2>&1
verdict "each detector is explained by its place, its original and what would change its decision"

store=again
crawl http://path-info.test/ $small --rejected rejected
{
	url=$(awk -F '\t' '$2 == "duplicate" { print $1; exit }' rejected)
	"$lycosa" store explain --store again "$url" | grep -q '^# duplicate_of: http://path-info.test/' || echo "explain names no original"
	"$lycosa" store explain --store again "$url" >explained
	for line in 'detector: duplicate' 'place: \(folder\|host\) \(http://\)*path-info.test' 'confirmed_in_a_row: [1-9]' \
		'remedy: .*--trap-opt duplicates=0'; do
		grep -q "^# $line" explained || { echo "no $line"; cat explained; }
	done
	skipped=$(cut -f 2 rejected | grep -cx duplicate)
	before=$(sed -n 's/^crawled	//p' summary)
	crawl --retry-skipped
	[ "$(sed -n 's/^crawled	//p' summary)" -ge $((before + skipped)) ] || cat summary
	"$lycosa" store verify --store again 2>&1 | grep -v 'is sound$'
} >problem
verdict "what was skipped is explained by its original, and taken up again by --retry-skipped"

# 300 pages of a few words, each of which leads to the next
traps=$port
seq 0 298 | awk '{ print $1, $1 + 1 }' >chain.txt
serve --graph chain.txt
"$lycosa" crawl --store chain "http://127.0.0.1:$port/0" --delay 0 -q >summary 2>errors
[ "$(sed -n 's/^crawled	//p' summary)" -eq 300 ]
result $? "a chain of pages of a few words is followed to its end"
port=$traps

# deferred in the first sitting, which ends too early for them
store=seen
crawl http://month-path.test/ http://lost.test/ $small --parallel 1 --max-pages 160
put_off=$(sed -n 's/^put_off	//p' summary)
{
	[ "$put_off" -gt 0 ] || cat summary
	"$lycosa" store info --store seen >info
	grep -qx "put_off	$put_off" info || cat info
	crawl --no-max-pages
	"$lycosa" store info --store seen >info
	grep -qx 'put_off	0' info && [ "$(sed -n 's/^skipped	//p' info)" -gt 0 ] || cat info
} >problem 2>&1
verdict "how many pages are deferred, and were skipped, stands in the summary and in store info"

store=past
crawl http://tides.test/ $small --trap-opt past=1 --trap-opt years=1 --rejected rejected
cut -f 2 rejected | grep -qx calendar || cat rejected >problem
vain 150 tides.test
verdict "a calendar is left a year from now to either side, whatever its pages say"

store=queries
crawl http://facets.test/ --trap-opt queries=40 --trap-opt duplicates=20 --rejected rejected
cut -f 2 rejected | grep -qx 'duplicate\|queries' || cat rejected >problem
vain 140 facets.test
verdict "a path that has had many queries is deferred, and left once duplicates alone come"

store=farm
crawl http://random-farm.test/ -H --trap-opt hosts=20 --parallel 4
vain 40 random-farm.test
verdict "a farm of hosts is left after as many as a domain may have"

store=near
crawl http://quoted.test/ $small --trap-opt simhash-bits=4
vain 408 quoted.test
verdict "near-duplicates by simhash count where that is asked for"

store=budget
crawl http://mirror.test/ -D mirror.test --trap-opt mirror=0 --max-per-host 50 --rejected rejected
[ "$(grep -c '^mirror.test page' requests)" -eq 50 ] && [ "$(grep -c '^www.mirror.test page' requests)" -le 50 ] &&
	cut -f 2 rejected | grep -qx budget || { cat requests errors; } >problem
verdict "a host has its budget"

# what was learnt is known again in the next sitting; nothing here is drawn at random
sites="http://month-path.test/ http://facets.test/ http://path-info.test/ http://wiki.test/"
store=whole
crawl $sites --parallel 1 --per-host 1 --max-pages 2000 --total 2000 --batch 100 --order whole.order
store=parts
for pages in 60 120 500 900 2000; do
	crawl $sites --parallel 1 --per-host 1 --max-pages $pages --total 2000 --batch 100 --order parts.order
done
{ [ "$(wc -l <whole.order)" -gt 300 ] && cmp whole.order parts.order; } >problem 2>&1 || echo differs >>problem
verdict "in several sittings the same pages are crawled as in one"

store=mirror
crawl http://mirror.test/ -D mirror.test --trap-opt mirror=4 --max-pages 300
cp requests all
crawl http://mirror.test/ -D mirror.test --max-pages 0
cat requests >>all
mv all requests
"$lycosa" store verify --store mirror >problem 2>&1
sed -i '/is sound$/d' problem
fetched >fetched
[ "$(awk '$1 == "mirror.test" { print $2 }' fetched)" -eq 504 ] || cat fetched summary errors >problem
vain 100 mirror.test
verdict "mirrors are known again"

ended_well
