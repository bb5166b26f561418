#!/bin/sh
# The part of doc/results.md on seeds, on stdout; see results.sh, which calls this.
#
#   LYCOSA=build/lycosa build-aux/results-seeds.sh [DATA]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${1:-${DATA:-$here/../../shared/data}}
lycosa=${LYCOSA:-$here/../build/lycosa}
[ -x "$lycosa" ] || { echo "results-seeds.sh: no lycosa at '$lycosa'" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# graph NAME: where a data set lies; nothing where it is missing
graph() {
	case $1 in
	california) path=$data/california/gr0.California ;;
	*) path=$data/$1/$1.txt.gz ;;
	esac
	[ -r "$path" ] && echo "$path"
}

# table NAME FOLDER: the rows of a table of an evaluation
table() {
	sed -n "s/^#$1	//p" "$2/results.tsv" | tail -n +2
}

# missing NAME...: says which data sets are left out
missing() {
	for name; do
		graph "$name" >/dev/null || echo "(\`$name\` is not there and left out.)"
	done
}

# cell FILE KEY: the second column of the row that begins so
cell() {
	awk -F '\t' -v key="$2" '$1 == key { if ($2 ~ /^-?[0-9]+$/) print $2
		else if ($2 == "") print "-"; else printf "%.2f\n", $2 }' "$1"
}

# verdicts TABLE FOLDER...: a row a claim, a column a graph
verdicts() {
	name=$1
	shift
	for folder; do
		table "$name" "$folder" | awk -F '\t' -v g="$folder" '{ print g "\t" $1 "\t" $2 }'
	done | awk -F '\t' '
		!($1 in seen) { seen[$1] = ++graphs; n = split($1, part, "/"); graph[graphs] = part[n] }
		!($2 in row) { row[$2] = ++claims; claim[claims] = $2 }
		{ cell[row[$2], seen[$1]] = $3 == "holds" ? "yes" : $3 == "does not hold" ? "no" : "-" }
		END {
			printf "| claim |"; for (g = 1; g <= graphs; g++) { sub(/^[a-z]*:/, "", graph[g]); printf " %s |", graph[g] }
			printf "\n|---|"; for (g = 1; g <= graphs; g++) printf "---|"
			for (c = 1; c <= claims; c++) {
				printf "\n| %s |", claim[c]
				for (g = 1; g <= graphs; g++) printf " %s |", ((c, g) in cell) ? cell[c, g] : "-"
			}
			print ""
		}'
}

# those of the folders whose study has sites enough for a mean
with_sites() {
	for folder; do
		[ "$(table coverage "$folder" | awk -F '\t' 'NR == 1 { print $7 + 0 }')" -gt 1 ] 2>/dev/null && echo "$folder"
	done
}

# of LIST, with a prefix, those folders that were made
made() {
	prefix=$1
	shift
	for name; do
		[ -d "$work/$prefix:$name" ] && echo "$work/$prefix:$name"
	done
}

graphs="uic-2021 cs-stanford uci-ics-2016-full california"
for name in $graphs; do
	path=$(graph "$name") || continue
	urls=
	if [ "$name" = california ]; then # its URLs stand in the file itself
		awk '$1 == "n" { print $3 }' "$path" >"$work/california.urls"
		urls="--urls $work/california.urls"
	fi
	# shellcheck disable=SC2086 # a flag and its value, or nothing
	"$lycosa" seeds -q --graph "$path" $urls --method hits --count 56 --draws 30 \
		--out "$work/hits:$name" >/dev/null
	values=
	if [ "$name" = uci-ics-2016-full ]; then
		# a page that nothing was read from is one that was not crawled
		gzip -dc "$path" | awk '!/^#/ { from[NR] = $1; to[NR] = $2; crawled[$1] = 1 }
			END { for (i in from) if (!(to[i] in crawled)) n[from[i]]++
				for (u in n) print u "\t0\t0\t" n[u] }' >"$work/attrs"
		values="--page-attrs $work/attrs"
	fi
	# shellcheck disable=SC2086 # a flag and its value, or nothing
	"$lycosa" coverage -q --graph "$path" $urls $values --draws 30 --out "$work/coverage:$name"
done
"$lycosa" coverage -q --made-sites 2000 --out "$work/coverage:made"

cat <<'END'
## Seeds by HITS cores

`lycosa seeds --method hits --count 56 --out DIR` (Daneshpajouh, Nasiri and Ghodsi), 30 draws of random seeds. Distances are shortest
ways from one core to another; the graph's average is over shortest ways from 100 of its pages. r is the correlation of
|i-j| with D(i,j), p how often it is as low when the cores are shuffled. Crawls are breadth-first from the first ten seeds.

| graph | cores | hubs / authorities a core | pairs with a way | least | average | most | graph | r (p) | pages found | by random seeds | PageRank found by iteration 4 | by random seeds |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
# shellcheck disable=SC2046,SC2086 # folders without blanks
for folder in $(made hits $graphs); do
	table core_distances "$folder" >"$work/distances"
	sizes=$(table cores "$folder" | awk -F '\t' '{ h += $3; a += $4; n++ } END { printf "%d | %.1f / %.1f", n, h / n, a / n }')
	found=$(table levels "$folder" | awk -F '\t' '{ n[$1] += $3 } END { printf "%.0f | %.0f", n["hits"], n["random"] }')
	mass=$(table levels "$folder" | awk -F '\t' '$2 == 4 { m[$1] = 100 * $9 } END { printf "%.1f%% | %.1f%%", m["hits"], m["random"] }')
	echo "| ${folder##*:} | $sizes | $(cell "$work/distances" 'pairs with a way') of $(cell "$work/distances" 'ordered pairs of cores') | $(cell "$work/distances" 'least distance') | $(cell "$work/distances" 'average distance') | $(cell "$work/distances" 'greatest distance') | $(cell "$work/distances" 'average distance of the graph') | $(cell "$work/distances" 'correlation of |i-j| with D(i,j)') ($(cell "$work/distances" 'its p, by shuffling the cores')) | $found | $mass |"
done
# shellcheck disable=SC2086
missing $graphs
cat <<'END'

Mean PageRank (times N) of the pages that iterations 1 to 5 of the crawl find, seeds / random:

| graph | 1 | 2 | 3 | 4 | 5 |
|---|---|---|---|---|---|
END
# shellcheck disable=SC2046,SC2086
for folder in $(made hits $graphs); do
	table levels "$folder" | awk -F '\t' -v g="${folder##*:}" '$2 <= 5 { x[$1, $2] = $6 }
		function show(v) { return v == "" ? "-" : sprintf("%.2f", v) }
		END { printf "| %s |", g; for (i = 1; i <= 5; i++) printf " %s / %s |", show(x["hits", i]), show(x["random", i]); print "" }'
done
cat <<'END'

Pages that those iterations find, seeds / random:

| graph | 1 | 2 | 3 | 4 | 5 |
|---|---|---|---|---|---|
END
# shellcheck disable=SC2046,SC2086
for folder in $(made hits $graphs); do
	table levels "$folder" | awk -F '\t' -v g="${folder##*:}" '$2 <= 5 { x[$1, $2] = $3 }
		END { printf "| %s |", g; for (i = 1; i <= 5; i++) printf " %d / %.1f |", x["hits", i], x["random", i]; print "" }'
done
echo
# shellcheck disable=SC2046,SC2086
verdicts claims $(made hits $graphs)

cat <<'END'

## Seed strategies

`lycosa coverage --out DIR` (Zheng, Dmitriev and Giles) on each site of at least 100 pages with a link from another, and on 2,000 generated
sites with generated values. For `uci-ics-2016-full` a page is worth 1 and 1 more for each page it links to that was not
crawled; elsewhere every page is worth 1. Improvement over random seeds in percent, 5 hops, mean over the sites:

| graph | sites | strategy | pages, k=1 | k=5 | k=10 | value, k=1 | k=5 | k=10 |
|---|---|---|---|---|---|---|---|---|
END
# shellcheck disable=SC2046,SC2086
for folder in $(with_sites $(made coverage $graphs made)); do
	sites=$(table coverage "$folder" | awk -F '\t' 'NR == 1 { print $7 }')
	table coverage_average "$folder" | awk -F '\t' -v g="${folder##*:}" -v n="$sites" '{
		printf "| %s | %s | %s |", g, n, $1; for (i = 2; i <= 7; i++) printf " %.1f |", $i; print "" }'
done
echo
# shellcheck disable=SC2046,SC2086
verdicts coverage_claims $(with_sites $(made coverage $graphs made))
# shellcheck disable=SC2086
for folder in $(made coverage $graphs); do
	[ -n "$(with_sites "$folder")" ] || echo "(\`${folder##*:}\` has fewer than two such sites and is left out.)"
done
cat <<'END'

## Hot pages from every kind of seeds

The area under the curve of hot pages found (of all, strict) for crawls from ten seeds of each kind; random: mean of five draws.
END
# shellcheck disable=SC2046,SC2086
for folder in $(made coverage $graphs); do
	echo
	echo "\`${folder##*:}\`:"
	echo
	table kinds "$folder" | awk -F '\t' '
		!($1 in row) { row[$1] = ++rows; policy[rows] = $1 }
		!($2 in column) { column[$2] = ++columns; kind[columns] = $2 }
		{ auc[row[$1], column[$2]] = $3; if ($3 > best[row[$1]]) best[row[$1]] = $3 }
		END {
			printf "| policy |"; for (k = 1; k <= columns; k++) printf " %s |", kind[k]
			printf "\n|---|"; for (k = 1; k <= columns; k++) printf "---|"
			for (p = 1; p <= rows; p++) {
				printf "\n| %s |", policy[p]
				for (k = 1; k <= columns; k++)
					printf auc[p, k] == best[p] ? " **%.3f** |" : " %.3f |", auc[p, k]
			}
			print ""
		}'
done

cat <<'END'

## From an old crawl to a new one

`lycosa seeds --graph OLD --method M --count 100 --into NEW`: of the seeds of the older graph, how many have a page in the newer one, by
the rule that found it, until 100 do. *drop* counts only those of the same URL, as the paper does.

| old | new | method | lost seeds are | looked at | 1-exact | 2-core-hub | 3-variant | 4-directory | 5-root | 6-anchor | twice | lost |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
# pair OLD_NAME OLD NEW_NAME NEW
pair() {
	for method in hits maxout pagerank; do
		for lost in drop map; do
			"$lycosa" seeds -q --graph "$2" --method $method --count 100 --lost $lost --into "$4" 2>/dev/null |
				awk -F ': ' -v a="$1" -v b="$3" -v m="$method" -v l="$lost" '/^# / { v[$1] = $2 }
				END { if (!("# looked_at" in v)) { printf "| %s | %s | %s | %s | no seed has a page there | | | | | | | | |\n", a, b, m,
					l == "drop" ? "dropped" : "mapped"; exit }
					printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", a, b, m,
					l == "drop" ? "dropped" : "mapped", v["# looked_at"], v["# 1-exact"],
					v["# 2-core-hub"], v["# 3-variant"], v["# 4-directory"], v["# 5-root"],
					v["# 6-anchor"], v["# found_before"], v["# 7-lost"] }'
		done
	done
}
# prefix NAME SHARE: the first pages of a crawl, and its last ones, as two graphs
prefix() {
	path=$(graph "$1")
	pages=$(gzip -dc "${path%.txt.gz}.urls.gz" | wc -l)
	cut=$(awk -v n="$pages" -v s="$2" 'BEGIN { print int(n * s) }')
	gzip -dc "${path%.txt.gz}.urls.gz" >"$work/all.urls"
	head -n "$cut" "$work/all.urls" >"$work/$1-old.urls"
	tail -n "$cut" "$work/all.urls" >"$work/$1-new.urls"
	gzip -dc "$path" | awk -v cut="$cut" -v n="$cut" 'BEGIN { print "# Nodes: " n } !/^#/ && $1 < cut && $2 < cut' >"$work/$1-old.txt"
	gzip -dc "$path" | awk -v from="$((pages - cut))" -v n="$cut" 'BEGIN { print "# Nodes: " n }
		!/^#/ && $1 >= from && $2 >= from { print $1 - from "\t" $2 - from }' >"$work/$1-new.txt"
}
if graph walk-hosts-old >/dev/null && graph walk-hosts-new >/dev/null; then
	pair walk-hosts-old "$(graph walk-hosts-old)" walk-hosts-new "$(graph walk-hosts-new)"
fi
if graph uci-ics-2016 >/dev/null && graph uci-ics-2016-full >/dev/null; then
	pair uci-ics-2016 "$(graph uci-ics-2016)" uci-ics-2016-full "$(graph uci-ics-2016-full)"
fi
months=$data/canpol/sitelinks-fixed-May13.txt
if [ -r "$months" ]; then
	pair "canpol, 2005 to 2006" "$months#200510-200612" "2007 to 2009" "$months#200701-200912"
fi
for name in uic-2021 cs-stanford; do
	graph "$name" >/dev/null || continue
	prefix "$name" 0.7
	pair "$name, first 70%" "$work/$name-old.txt" "last 70%" "$work/$name-new.txt"
done
missing walk-hosts-old walk-hosts-new uci-ics-2016
if graph walk-hosts-old >/dev/null && graph walk-hosts-new >/dev/null; then
	"$lycosa" seeds -q --graph "$(graph walk-hosts-old)" --method hits --count 11 --draws 30 \
		--into "$(graph walk-hosts-new)" --out "$work/into" >/dev/null
	cat <<'END'

Breadth-first crawls of `walk-hosts-new` from the first ten seeds of `walk-hosts-old`, against ten random ones (30 draws):

| iteration | pages | random | mean PageRank times N | random |
|---|---|---|---|---|
END
	table levels "$work/into" | awk -F '\t' '{ p[$1, $2] = $3; r[$1, $2] = $6; if ($2 > n) n = $2 }
		function show(v) { return v == "" ? "-" : sprintf("%.2f", v) }
		END { for (i = 1; i <= n; i++) printf "| %d | %d | %.1f | %s | %s |\n", i, p["hits", i], p["random", i], show(r["hits", i]), show(r["random", i]) }'
	echo
	verdicts claims "$work/into" | sed 's/ into |/ walk-hosts |/'
fi

cat <<'END'

### What this shows

* *More pages, sooner*: on all four graphs a crawl from ten HITS seeds is ahead of ten random pages at every depth but the
  first, mostly by an order of magnitude in iteration 2, and has found several times the PageRank by iteration 4.
* *Higher mean PageRank in iterations 2 to 4* is not seen here. A random page leads to a handful of others, most of them home
  pages, so the mean over what it finds is high; the seeds find hundreds of pages at once, and these are near the average.
  The mean of a level punishes those who find more; the PageRank found in all says what a crawl has.
* *Cores* here are small and have more authorities than hubs: these are crawls of one university, or of one query, in
  which few pages link to the same foreign page. The papers' large hub sides come from stars of a national web. The correlation of
  |i-j| with D(i,j) has the sign that the paper's example suggests, but on `uic-2021` chance does as much, and nowhere does it
  explain more than two percent of the distances.
* *MaxWeight* is the best strategy nearly everywhere, also in pages, where the paper has MaxOut first; the more so where pages
  differ in value. The two agree on OutDegree over PageRank, on MaxWeight over the strategies by components where sites are
  many, and on the gain falling with *k* (PageRank's, which is none, apart). That it rises with *h* is not seen: one link from the page with most links is already
  far more than one link from a random page.
* RootSCC is no worse than OutDegree in value where pages have values: against the paper, which used another web, and does not
  say how deep it looked.
* For hot pages the seeds matter more than the policy: on `uci-ics-2016-full` and `california` nearly every policy from `maxweight` seeds
  beats every policy from any others, and from random pages a crawl finds next to nothing; where most pages reach each
  other (`cs-stanford`) it matters little.
* *Old to new*: of the best hubs among hosts three in four are still there half a year later (the paper: 11%, three years
  later, pages); the rules give most of the others a page, mostly by their authorities. Within a crawl cut in two
  hardly any exact page is left, and neighbours on the same host take over.
END
