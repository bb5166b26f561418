#!/bin/sh
# `lycosa study`: a job file, the folder that it leaves, its findings, and R's opinion of its figures.
. "$(dirname "$0")/../tap.sh"
plan 24

study() { wanted=$1; shift; status "$wanted" "$lycosa" study "$@"; }

# the tests of R need a graph without ties
"$lycosa" graph generate --nodes 1500 --rng-seed 1 g1.txt 2>problem
for seed in 2 3 4 5; do
	"$lycosa" graph generate --nodes 600 --rng-seed $seed g$seed.txt 2>problem
done
cat >job.ini <<'END'
# a comment
[global]
title    = Policies on generated graphs
policies = ieca, partial-pagerank, opic, bfs
seeds    = random:0.004
draws    = 9
at       = 0.2, 0.45
claim    = ieca, bfs
END
study 2 job.ini && grep -q 'job.ini:.*' errors
printf '[one\n' >bad.ini && study 2 bad.ini && grep -q 'bad.ini:1: no \[SECTION\]' errors &&
	printf '[global]\ndrwas = 3\n' >bad.ini && study 2 bad.ini && grep -q "bad.ini:2: no key 'drwas'; the nearest is draws" errors &&
	printf '[global]\npolicies = bfs\n[x]\ngraph = g1.txt\ndraws = x\n' >bad.ini && study 2 bad.ini &&
	grep -q 'bad.ini:5: draws = x: a whole number' errors &&
	printf '[x]\npolicies = bfs\n' >bad.ini && study 2 bad.ini && grep -q 'a key of \[global\] alone' errors &&
	printf '[x]\nseeds = roots\n' >bad.ini && study 2 bad.ini && grep -q "\[x\] has no 'graph = PATH'" errors &&
	printf '[global]\npolicies =\n[x]\ngraph = g1.txt\n' >bad.ini && study 2 bad.ini && grep -q "needs 'policies = A, B'" errors &&
	printf '[x]\ngraph = ${NO_SUCH}/x\n' >bad.ini && study 2 bad.ini && grep -q "environment has no 'NO_SUCH'" errors
result $? "what is wrong with a job file is told with its line"

sed -i '/^claim/d' job.ini
cat >>job.ini <<'END'
claim    = ieca > bfs: IECA finds more hot pages than breadth-first search
claim    = bfs > ieca, opic: Breadth-first search finds more
drop-short = yes
[web 1]
graph = ${HERE}/g1.txt
[web 2]
graph = g2.txt
batch = N/16
[web 3]
graph = g3.txt
[web 4]
graph = g4.txt
[web 5]
graph  = g5.txt
family = web 4
END
export HERE=.
study 0 job.ini --out out --threads 2 && for f in claims.tsv places.tsv graphs.tsv discoverable.tsv strict.tsv \
	friedman.tsv families.tsv effects.tsv curves.tsv values.tsv critical-difference.svg curves-web-1.svg curves-web-1.pdf report.html report.md \
	tables.tex results.tsv results.json manifest.json; do
	[ -s out/$f ] || echo "no $f"
done >problem
verdict "a study leaves tables, drawings, reports and its job"

for f in out/*.tsv; do
	[ "$f" = out/results.tsv ] || awk -F '\t' -v f="$f" 'NR == 1 { n = NF } NF != n || /^#/ { print f ": " $0 }' "$f"
done >problem
verdict "tables are rows of as many cells, without comments"

[ "$(wc -l <out/values.tsv)" -eq $((1 + 5 * 4 * 9 * (2 * 4 + 2))) ] && [ "$(wc -l <out/families.tsv)" -eq 5 ] &&
	awk -F '\t' '$1 == "web 2" && $2 == "bfs" && $4 == 0.45 && $5 == "hot_discoverable" { s += $6; n++ }
		END { printf "%.1f\n", 100 * s / n }' out/values.tsv >mean &&
	awk -F '\t' '$1 == "web 2" { printf "%.1f\n", $5 }' out/discoverable.tsv | cmp - mean >problem
result $? "the wide table is the mean of the values, and two graphs of a family are one"

"$lycosa" compare --graph g1.txt --seeds random:0.004 --draws 9 --policies ieca,partial-pagerank,opic,bfs --at 0.2,0.45 -q |
	awk -F '\t' -v OFS='\t' '!/^#/ && $1 != "policy" { print $1, $2, $9, $5 }' | sort >want
awk -F '\t' -v OFS='\t' '$1 == "web 1" && $5 == "hot_discoverable" { print $2, $3, $4, $6 }' out/values.tsv | sort | cmp - want >problem
result $? "its figures are those of compare"

study 0 out/manifest.json --out again --threads 1 && grep -q 'the numbers are those of' errors && diff -r out again >problem
verdict "its manifest makes the same files again, with any number of threads"

sed 's/"numbers": .*/"numbers": "0123456789abcdef",/' out/manifest.json >other.ini && study 1 other.ini &&
	grep -q 'the numbers are not those' errors && cp g1.txt kept && cp g2.txt g1.txt &&
	study 2 out/manifest.json && grep -q 'is another: its fingerprint' errors && mv kept g1.txt
result $? "other numbers, and another graph, are told"

sed 's/^claim .*bfs: .*/finding = bfs > ieca is holds: Breadth-first search is better/' job.ini >found.ini
study 1 found.ini && grep -q "the finding 'Breadth-first search is better' states the verdict 'holds' on its claim, but the verdict is" errors &&
	verdict=$(awk -F '\t' '/^IECA/ { print $2 }' out/claims.tsv) &&
	sed "s/^claim .*bfs: .*/finding = ieca > bfs is $verdict: as it is/" job.ini >found.ini && study 0 found.ini
result $? "a finding that its table contradicts fails the study"

printf '[global]\npolicies = ieca\nvary = ieca.delta0: 0.2, 0.5, 0.8\nseeds = random:6\ndraws = 3\n[a]\ngraph = g1.txt\n[b]\ngraph = g2.txt\n' >vary.ini
study 0 vary.ini --out varied && [ "$(head -n 1 varied/discoverable.tsv)" = "$(printf 'graph\t0.2\t0.5\t0.8')" ] &&
	"$lycosa" compare --graph g2.txt --seeds random:6 --draws 3 --policies ieca --policy-opt delta0=0.8 --at 0.45 -q |
	awk -F '\t' '!/^#/ && $1 != "policy" { s += $5 } END { printf "%.1f\n", 100 * s / 3 }' >want &&
	awk -F '\t' '$1 == "b" { printf "%.1f\n", $4 }' varied/discoverable.tsv | cmp - want >problem
result $? "values of an option are rows"

printf '[global]\npolicies = bfs\nvary = seeds: random:6, outdegree:6, maxout:6\ndraws = 3\n[a]\ngraph = g1.txt\n[b]\ngraph = g2.txt\n' >methods.ini
study 0 methods.ini --out methods && [ "$(head -n 1 methods/discoverable.tsv)" = "$(printf 'graph\trandom:6\toutdegree:6\tmaxout:6')" ] &&
	"$lycosa" seeds --graph g2.txt --method maxout --count 6 -q | grep -v '^#' >six &&
	"$lycosa" replay --graph g2.txt --seeds six --policy opic --order - -q >want &&
	"$lycosa" replay --graph g2.txt --seeds maxout:6 --policy opic --order - -q | cmp - want >problem &&
	status 2 "$lycosa" replay --graph g2.txt --seeds maxout:x --policy opic && grep -q "seeds 'maxout:x': a number of seeds" errors
result $? "seed methods are rows, and METHOD:N is what the method finds"

sed 's/^draws/judge = coverage@2\ndraws/' methods.ini >covered.ini && study 0 covered.ini --out covered &&
	"$lycosa" coverage --graph g2.txt --seeds maxout:6 --hops 2 -q | awk -F '\t' '$1 == "pages" { p = $2 } $1 == "pages_in_all" { n = $2 }
		END { printf "%.9f\n", 100 * p / n }' >want && awk -F '\t' '$1 == "b" { printf "%.9f\n", $4 }' covered/covered.tsv | cmp - want >problem &&
	[ -s covered/critical-difference.svg ] && sed 's/= bfs/= bfs, opic/' covered.ini >both.ini && study 2 both.ini &&
	grep -q 'both.ini:2: policies = bfs, opic: coverage is judged of breadth-first crawls' errors
result $? "coverage is judged as throughput is"

printf '[global]\npolicies = opic, ieca, bfs\ngap = opic, omniscient\njudge = auc\nseeds = sample:0.5:maxout:8\ndraws = 7\n' >gap.ini
printf '[a]\ngraph = g1.txt\n[b]\ngraph = g2.txt\n' >>gap.ini
study 0 gap.ini --out gap && awk -F '\t' '$5 == "auc" && $1 == "a" { s[$2] += $6 / 7 }
	END { best = (s["ieca"] > s["bfs"]) ? "ieca" : "bfs"; print best; printf "%.6f %.6f\n", 100 * s["opic"], 100 * (s["opic"] - s[best]) }' \
	gap/values.tsv >want && awk -F '\t' '$1 == "a" { print $3; printf "%.6f %.6f\n", $5, $7 }' gap/gaps.tsv | cmp - want >problem &&
	awk -F '\t' '$1 == "a" { print ($9 - ($6 - $4)) ^ 2 < 1e-12 && ($10 - 100 * $7 / $9) ^ 2 < 1e-9 }' gap/gaps.tsv | grep -q 1 &&
	! grep -q omniscient gap/places.tsv && [ "$(wc -l <gap/gaps.tsv)" -eq 4 ]
result $? "a gap to a yardstick is measured beside the contest, from draws of a rule without chance"

sed 's/^gap = .*/gap = opic, omniscient, map/' gap.ini >maps.ini && study 0 maps.ini --out maps &&
	for g in g1 g2; do
		"$lycosa" compare --graph $g.txt --seeds sample:0.5:maxout:8 --draws 7 --policies omniscient,map --at 1 -q |
			awk -F '\t' -v g=$g '$2 ~ /^[0-9]+$/ && $4 != "" && !seen[$1, $2]++ { s[$1] += 100 * $8 / 7 }
				END { w = s["map"] > s["omniscient"] ? "map" : "omniscient"; printf "%.6f %s\n", s[w], w }'
	done >want && awk -F '\t' '/^[ab]\t/ { printf "%.6f %s\n", $6, $11 }' maps/gaps.tsv | cmp - want >problem
result $? "of two yardsticks the gap is to the one that does better on the graph"

printf '[global]\npolicies = largest-site, bfs\nif-impossible = leave-out\nseeds = random:5\ndraws = 2\n[a]\ngraph = g1.txt\n[b]\ngraph = g2.txt\n' >impossible.ini
study 2 impossible.ini && grep -q 'a contest needs every policy on every graph' errors &&
	sed 's/leave-out/leave-uot/' impossible.ini >bad.ini && study 2 bad.ini && grep -q 'fail or leave-out is wanted' errors &&
	sed 's/^policies/study = compare\n&/' impossible.ini >two.ini && study 0 two.ini --out two && grep -q "'largest-site' is left out" errors
result $? "a policy that a graph cannot run is left out of a comparison, and of no contest"

sed 's/^gap = .*/gap = opcl, omniscient/' gap.ini >bad.ini && study 2 bad.ini && grep -q "the key 'gap' names 'opcl'.*the nearest is 'opic'" errors &&
	sed 's/^gap = .*/gap = opic/' gap.ini >bad.ini && study 2 bad.ini && grep -q 'a policy and a yardstick are wanted' errors &&
	sed 's/^draws/drop-short = yes\ndraws/' gap.ini >bad.ini && study 2 bad.ini && grep -q 'only a point of a crawl' errors
result $? "what is wrong with a gap is told"

printf '[one]\ngraph = g1.txt\n[two]\ngraph = g2.txt\n[gone]\ngraph = gone.txt\n' >graphs.ini
printf '[global]\nonly = two , gone\nif-missing = leave-out\npolicies = ieca\nvary = ieca: default, form=4+weight=0.1\nseeds = random:6\ndraws = 2\n' >part.ini
study 0 graphs.ini part.ini --out parts && grep -q "'gone' is left out: 'gone.txt' is not there" errors &&
	[ "$(cut -f 1 parts/graphs.tsv | tr '\n' ' ')" = "graph two " ] &&
	"$lycosa" compare --graph g2.txt --seeds random:6 --draws 2 --policies ieca --policy-opt form=4 --policy-opt weight=0.1 \
		--at 0.45 -q | awk -F '\t' '!/^#/ && $1 != "policy" { s += $5 } END { printf "%.1f\n", 100 * s / 2 }' >want &&
	awk -F '\t' '$1 == "form=4+weight=0.1" { printf "%.1f\n", $5 }' parts/discoverable.tsv | cmp - want >problem &&
	study 3 graphs.ini part.ini part.ini missing.ini
result $? "files are read as one, graphs are chosen, and options vary together"

study 0 job.ini && cp results plain && study 0 job.ini --json &&
	{ ! command -v jq >/dev/null || jq -e '(.places | length) == 4 and (.claims[0] | has("verdict"))' results >/dev/null; }
result $? "without --out the tables go to stdout, as TSV or JSON"

# evaluations of seeds: a folder a graph, and the paper's claims over all of them
printf '[global]\nstudy = seeds\nmethod = hits\nmethod-opt = site=page\ncount = 5\ndraws = 3\n[one]\ngraph = g1.txt\n[two]\ngraph = g2.txt\n' >seeds.ini
study 0 seeds.ini --out seeded && [ -s seeded/one/levels.tsv ] && [ -s seeded/two/report.html ] && [ -s seeded/claims.tsv ] &&
	"$lycosa" seeds --graph g2.txt --method hits --method-opt site=page --count 5 --draws 3 --out alone -q >/dev/null && cmp alone/levels.tsv seeded/two/levels.tsv &&
	awk -F '\t' '$1 == "two"' seeded/claims_by_graph.tsv | cut -f 2- | sort >got && sed 1d alone/claims.tsv | sort | cmp - got >problem &&
	study 0 seeded/manifest.json --out seeded.again && grep -q 'the numbers are those of .seeded/manifest.json' errors &&
	diff -r seeded seeded.again >problem && study 2 seeds.ini && grep -q 'out DIR is needed' errors
result $? "an evaluation of seeds runs on several graphs, and its manifest makes the same folders again"

printf '[global]\nstudy = coverage\ndraws = 2\n[one]\ngraph = g1.txt\n[two]\ngraph = g2.txt\n' >sites.ini
mkdir -p sites/one && printf 'claim\tverdict\tseen\nof an earlier run\tholds\tfigures\n' >sites/one/claims.tsv
study 0 sites.ini --out sites && ! grep -q 'earlier' sites/claims.tsv
result $? "claims that an earlier run left in a folder are not those of this run"

claim='more pages after each iteration than from random seeds'
verdict=$(awk -F '\t' -v c="$claim" '$1 == c { print $2 }' seeded/claims.tsv)
other=holds
[ "$verdict" = holds ] && other=contradicted
found() { sed "s/^draws.*/&\nfinding = $1/" seeds.ini >found.ini && study "$2" found.ini --out found; }
found "$claim is $other: Seeds find more" 1 && grep -q "the finding 'Seeds find more' states the verdict '$other' on its claim, but the verdict is" errors &&
	found "$claim is $verdict: Seeds find more on {holds} of {graphs}" 0 && grep -q '^Seeds find more on [0-2] of 2	' found/claims.tsv &&
	found "no claim is holds: text" 2 && grep -q "found.ini: a finding rests on 'no claim', which is no claim" errors && found "$claim: text" 2
result $? "a finding on seeds that its table contradicts fails the study"

# as doc/formats.md has it
printf 'print(aggregate(value ~ policy, subset(read.delim("out/values.tsv"), measure == "hot_discoverable" & at == 0.45), mean))\n' >one.R
printf 'import pandas as p; v = p.read_csv("out/values.tsv", sep="\\t"); print(v[(v.measure == "hot_discoverable") & (v["at"] == 0.45)].groupby("policy").value.mean())\n' >one.py
awk -F '\t' '$4 == 0.45 && $5 == "hot_discoverable" { s[$2] += $6; n[$2]++ } END { for (p in s) printf "%s %.4f\n", p, s[p] / n[p] }' out/values.tsv | sort >want
means() { awk 'NF >= 2 && $NF ~ /^0\.[0-9]+$/ { printf "%s %.4f\n", $(NF - 1), $NF }' "$1" | sort; }
read_by=
: >problem
if command -v Rscript >/dev/null; then
	Rscript one.R >got 2>>problem && means got | diff want - >>problem
	read_by="$read_by R"
fi
if python3 -c 'import pandas' 2>/dev/null; then
	python3 one.py >got 2>>problem && means got | diff want - >>problem
	read_by="$read_by pandas"
fi
if [ -n "$read_by" ]; then
	verdict "the tidy values are read in one line"
else
	skip "the tidy values are read in one line" "neither R nor pandas: apt-get install r-base-core python3-pandas"
fi

if command -v python3 >/dev/null; then
	python3 - out/critical-difference.svg out/curves-web-1.svg >problem 2>&1 <<'END'
import sys
import xml.etree.ElementTree as tree
for name in sys.argv[1:]:
    root = tree.parse(name).getroot()
    assert root.tag == '{http://www.w3.org/2000/svg}svg', root.tag
    words = [t.text for t in root.iter('{http://www.w3.org/2000/svg}text')]
    assert any('opic' in w for w in words), words
    assert not any('nan' in str(v) for e in root.iter() for v in e.attrib.values()), name
END
	verdict "the drawings are well-formed, and name the policies"
else
	skip "the drawings are well-formed, and name the policies" "no python3"
fi

if command -v Rscript >/dev/null; then
	cat >check.R <<'END'
near <- function(what, ours, theirs, tolerance) {
	if (any(abs(ours - theirs) > tolerance * pmax(1, abs(theirs)))) cat(what, ":", ours, "R:", theirs, "\n")
}
table <- function(name) read.delim(paste0("out/", name, ".tsv"), check.names = FALSE)
x <- as.matrix(table("families")[, -1])
ours <- table("friedman")
theirs <- friedman.test(x)
near("chi-square", ours$chi_square, theirs$statistic, 1e-9)
near("p", ours$p, theirs$p.value, 1e-9)
k <- ncol(x)
near("critical difference", ours$critical_difference, qtukey(0.95, k, Inf) / sqrt(2) * sqrt(k * (k + 1) / 6 / nrow(x)), 1e-6)
near("places", table("places")$mean_place, colMeans(t(apply(-x, 1, rank))), 1e-9)
END
	Rscript check.R >problem 2>&1
	verdict "R finds the same places, chi-square, p and critical difference"
	"$lycosa" compare --graph g1.txt --seeds random:0.004 --draws 12 --policies ieca,opic,bfs --out compared -q >/dev/null 2>&1
	cat >check.R <<'END'
rows <- read.delim("compared/results.tsv", comment.char = "#")
auc <- tapply(rows$auc, list(rows$draw, rows$policy), function(v) v[!is.na(v)][1])
lines <- grep("^#pairs\t", readLines("compared/results.tsv"), value = TRUE)
pairs <- read.delim(text = sub("^#pairs\t", "", lines))
p <- mapply(function(a, b) wilcox.test(auc[, a], auc[, b], paired = TRUE, exact = TRUE)$p.value, pairs$policy, pairs$other)
if (any(abs(p - pairs$wilcoxon_p) > 1e-9)) print(rbind(p, pairs$wilcoxon_p))
# each pair stands there once or in both directions
once <- !duplicated(t(apply(pairs[, c("policy", "other")], 1, sort)))
if (any(abs(p.adjust(p[once], "holm") - pairs$holm_p[once]) > 1e-9)) print(pairs)
t <- mapply(function(a, b) t.test(auc[, a], auc[, b], paired = TRUE)$conf.int[1:2], pairs$policy, pairs$other)
if (any(abs(t[1, ] - pairs$low) > 1e-9 | abs(t[2, ] - pairs$high) > 1e-9)) print(t)
END
	Rscript check.R >problem 2>&1
	verdict "R finds the same intervals, Wilcoxon's p and Holm's correction"
else
	skip "R finds the same places, chi-square, p and critical difference" "no Rscript: apt-get install r-base-core"
	skip "R finds the same intervals, Wilcoxon's p and Holm's correction" "no Rscript: apt-get install r-base-core"
fi
