#!/bin/sh
# The folder that compare --out leaves, and the same numbers again from its manifest.
. "$(dirname "$0")/../tap.sh"
plan 24

compare() { wanted=$1; shift; status "$wanted" "$lycosa" compare "$@"; }

for seed in 1 2; do
	"$lycosa" graph generate --nodes 2000 --rng-seed $seed --write-urls web$seed.urls --to edges web$seed.txt 2>problem
done
compare 0 --graph web1.txt --seeds random:5 --draws 5 --max-pages 1500 --batch 70 --total reachable \
	--policy-opt ieca.beta=0.2 --at 0.2,0.45 --tau --out new/deep/out && cp results printed && cp errors talk
for f in results.tsv results.json curves.tsv report.html manifest.json report.md tables.tex rows.tsv values.tsv summary.tsv \
	pairs.tsv discoverable.tsv curves-web1.txt.svg curves-web1.txt.pdf depth-rank-web1.txt.pdf; do
	[ -s new/deep/out/$f ] || echo "no $f"
done >problem
verdict "--out makes the folder and leaves its files"

grep -v '^#[a-z]' new/deep/out/results.tsv >rows && grep -v '^#[a-z]' printed | cmp - rows >problem 2>&1
result $? "results.tsv begins with the rows of stdout"

for table in summary pairs windows depths work parts; do
	sed -n "s/^#$table\t//p" new/deep/out/results.tsv | awk -F '\t' -v table=$table '
		NR == 1 { n = NF; next } NF != n { print table ": " $0 }
		END { if (NR < 3) print table " is empty" }' >>problem
done
[ ! -s problem ]
result $? "the other tables stand behind them in comments"

# a mean of the summary is the mean of the rows
awk -F '\t' '!/^#/ && $1 == "ieca" && $9 == 0.45 { sum += $4; auc += $8; n++ }
	/^#summary\tieca\thot\t0.45\t/ { mean = $5 } /^#summary\tieca\tauc\t/ { area = $5 }
	END { if (n != 5 || mean - sum / 5 > 1e-9 || sum / 5 - mean > 1e-9 || area - auc / 5 > 1e-9 ||
		auc / 5 - area > 1e-9) print n, sum / 5, mean, auc / 5, area }' new/deep/out/results.tsv >problem
[ ! -s problem ]
result $? "the summary is that of the rows"

awk -F '\t' '!/^#/ && $1 != "policy" { n[$1]++; if ($3 != "" && ($4 > $3 || $5 < $3)) print }
	END { for (p in n) if (n[p] != 100) print p, n[p] }' new/deep/out/curves.tsv >problem
[ ! -s problem ]
result $? "curves.tsv has a hundred points a policy, within their intervals"

if command -v jq >/dev/null; then
	jq -r '.rows[] | [.policy, .draw, .crawled, .at, .auc == null] | @tsv' new/deep/out/results.json >json &&
		awk -F '\t' '!/^#/ && $1 != "policy" { print $1 "\t" $2 "\t" $3 "\t" $9 "\t" ($8 == "" ? "true" : "false") }' \
			new/deep/out/results.tsv | diff - json >problem 2>&1 &&
		jq -e '(.policy | length) > 5 and (.summary | length) > 50 and (.pairs[0] | has("wilcoxon_p") and has("holm_p"))' \
			new/deep/out/results.json >/dev/null 2>problem
	result $? "results.json says the same, and an empty cell is null"
else
	skip "results.json says the same, and an empty cell is null" "no jq"
fi

grep -q '^lycosa: ideal: auc .*; .*, not separable at 5 draws (1[0-9] or more are needed)' talk &&
	[ "$(grep -c ': auc ' talk)" -gt 5 ] &&
	compare 0 --graph web1.txt --seeds random:5 --draws 6 --policies ideal,bfs &&
	grep -q '^lycosa: ideal: auc .*; ideal beats bfs by 0' errors &&
	printf '5\n' >five && compare 0 --graph web1.txt --seeds five --draws 20 --policies ideal,bfs &&
	grep -q "the seeds 'five' are the same in every draw" errors &&
	grep -q 'not separable at 1 draw (6 or more are needed)' errors
result $? "who beats whom is told on stderr"

compare 0 --from new/deep/out/manifest.json --out again --threads 3 && cmp results printed >problem 2>&1 &&
	diff -r new/deep/out again >>problem 2>&1
[ ! -s problem ] && grep -q 'the numbers are those of' errors
result $? "--from its manifest makes all files again, byte for byte"

compare 2 --from again/manifest.json --graph web2.txt &&
	one=$("$lycosa" graph info --graph web1.txt | sed -n 's/^# fingerprint: //p') &&
	two=$("$lycosa" graph info --graph web2.txt | sed -n 's/^# fingerprint: //p') &&
	[ -n "$one" ] && grep -q "$one" errors && grep -q "$two" errors
result $? "another graph is status 2, and both fingerprints are told"

cp web1.txt moved.txt && cp web1.urls moved.urls && compare 0 --from again/manifest.json --graph moved.txt -q &&
	grep -v '^#' results >rows && grep -v '^#' printed | cmp - rows >problem 2>&1
result $? "the same graph elsewhere gives the same rows"

for flag in "--draws 2" "--policies bfs" "--at 0.5" "--batch 3" "--rng-seed 1" "--policy-opt ieca.beta=0.1"; do
	# shellcheck disable=SC2086 # words
	compare 2 --from again/manifest.json $flag && grep -q "the manifest has settled it" errors || break
done
result $? "what the manifest has settled cannot be said anew"

printf '5\n7\n' >seeds.txt && compare 0 --graph web1.txt --seeds seeds.txt --policies bfs,opic --out two &&
	compare 0 --from two/manifest.json && printf '5\n8\n' >seeds.txt &&
	compare 2 --from two/manifest.json && grep -q "draw 1 of the seeds 'seeds.txt' is another" errors
result $? "other seeds are told"

sed 's/"manifest": 3/"manifest": 2/' two/manifest.json >broken.json
sed 's/"numbers": "[0-9a-f]*"/"numbers": "0000000000000000"/' again/manifest.json >other.json
compare 3 --from broken.json && compare 3 --from nowhere.json && compare 2 --from web1.txt &&
	compare 1 --from other.json && grep -q 'the numbers are not those of' errors
result $? "a broken manifest is status 3, what is no job 2, other numbers 1"

touch file && compare 3 --graph nowhere --seeds random:3 --out file && grep -q "'file' is a file" errors &&
	compare 3 --graph nowhere --seeds random:3 --out file/below && grep -q "'file' is a file" errors
result $? "a folder that cannot be made is status 3, before anything else is done"

compare 0 --graph web1.txt --seeds random:3 --draws 2 --policies bfs,opic --out plain &&
	grep -q 'not separable at 2 draws (6 or more are needed)' errors &&
	awk 'NR == 1 { n = split($0, head, "\t"); next } { if (split($0, cell, "\t") != n) print }' plain/rows.tsv >problem &&
	[ ! -s problem ] && grep -v '^#' plain/results.tsv | diff plain/rows.tsv - >problem
result $? "every table is a file of its own, the rows those of stdout"

cp web1.txt '<b>&"x.txt' && compare 0 --graph '<b>&"x.txt' --seeds random:3 --draws 2 --policies bfs,ieca --timing --out odd &&
	grep -q '&lt;b&gt;&amp;&quot;x.txt' odd/report.html && ! grep -q '<b>&"x' odd/report.html &&
	! grep -Ei 'https?:|src=|@import|url\(|fetch\(|<link' odd/report.html >problem &&
	grep -q 'links_per_second' results
result $? "names are escaped, and the report needs nothing else"

# --- several graphs
tied="--graph star.txt --seeds random:5 --draws 5 --at 0.2,0.9 --policies bfs,ieca,opic"
compare 0 --graph web1.txt --seeds random:5 --draws 5 --at 0.2,0.45 --policies bfs,ieca,opic --out alone1 && cp results rows1 &&
	compare 0 --graph web2.txt --seeds random:5 --draws 5 --at 0.2,0.45 --policies bfs,ieca,opic --out alone2 && cp results rows2 &&
	compare 0 --graph web1.txt --graph web2.txt --seeds random:5 --draws 5 --at 0.2,0.45 --policies bfs,ieca,opic --out both &&
	cp results printed && {
	grep -v '^#' rows1 | tail -n +2 | sed 's/^/web1.txt\t/'
	grep -v '^#' rows2 | tail -n +2 | sed 's/^/web2.txt\t/'
} >wanted && grep -v '^#' printed | tail -n +2 | diff wanted - >problem &&
	[ "$(grep -v '^#' printed | head -n 1 | cut -f 1,2)" = "graph	policy" ]
result $? "of several graphs the rows are those of each, behind its name"

for table in summary pairs windows depths work parts; do
	for g in 1 2; do
		sed -n "s/^#$table\t//p" alone$g/results.tsv | tail -n +2 | sed "s/^/web$g.txt\t/"
	done >wanted
	[ "$(wc -l <wanted)" -ge 4 ] || echo "$table is short" >>problem
	sed -n "s/^#$table\t//p" both/results.tsv | tail -n +2 | diff wanted - >>problem
done
[ ! -s problem ]
result $? "and so are the tables"

sed -n 's/^#across\t//p' both/results.tsv | awk -F '\t' 'NR > 1 && $2 == "hot" { print $1, $3, $4 }' >mean
awk -F '\t' 'NR == FNR { split($0, w, " "); want[w[1], w[2]] = w[3]; next }
	/^#summary\t/ && $4 == "hot" { sum[$3, $5] += $6; n[$3, $5]++ }
	END { for (k in want) { d = sum[k] / n[k] - want[k]; if (n[k] != 2 || d > 1e-12 || d < -1e-12) print k, d } }' \
	mean both/results.tsv >problem
[ ! -s problem ] && [ "$(wc -l <mean)" -eq 6 ]
result $? "the mean over graphs is that of their means"

grep -q '<h2>Across graphs</h2>' both/report.html && grep -q 'id="curves-web2.txt"' both/report.html &&
	[ -s both/critical-difference.pdf ] && ! grep -q critical alone1/report.html && grep -q '^lycosa: web2.txt: .*: auc ' errors
result $? "the report has the curves of each graph, and what holds across graphs"

compare 0 --from both/manifest.json --out both2 --threads 3 -q && diff -r both both2 >problem 2>&1
[ ! -s problem ] && cp web1.txt a.txt && cp web2.txt b.txt &&
	compare 0 --from both/manifest.json --graph a.txt --graph b.txt -q &&
	compare 2 --from both/manifest.json --graph b.txt --graph a.txt && grep -q "the graph 'b.txt' is another" errors &&
	compare 2 --from both/manifest.json --graph a.txt && grep -q 'is of 2 graphs, and --graph was given 1 times' errors
result $? "--from makes all graphs again, each in its place"

# largest-site and hosts where there are names; what is impossible on one graph is left out there alone
cp web2.txt bare.txt
compare 0 --graph web1.txt --graph bare.txt --seeds random:3 --out some -q && cut -f 1,2 results | grep -c 'largest-site' >count &&
	! grep 'bare.txt	largest-site' results && grep -q 'web1.txt	largest-site' results &&
	compare 0 --from some/manifest.json -q &&
	compare 2 --graph web1.txt --graph web2.txt --seeds - && compare 2 --graph web1.txt --graph web2.txt --urls web1.urls --seeds random:2
result $? "a policy that one graph cannot have is left out there alone"

# a hub, and pages that are all alike
for i in $(seq 49); do printf '0 %d\n%d 0\n' "$i" "$i"; done >star.txt
# shellcheck disable=SC2086 # words
compare 0 $tied --ties --out tied && grep -q '^# ties: shared$' results && cp results tied.rows &&
	compare 0 --from tied/manifest.json && cmp results tied.rows >problem &&
	compare 0 $tied && awk -F '\t' '!/^#/ && $1 != "policy" { print $4 }' results >strict &&
	awk -F '\t' '!/^#/ && $1 != "policy" { print $4 }' tied.rows | paste strict - |
	awk '$2 < $1 { print } $2 > $1 { more++ } END { if (!more) print "nothing is shared" }' >problem && [ ! -s problem ]
result $? "with ties shared no less is hot, and the manifest knows"

# rules, shares of hosts and the rest of a damaged store reach the crawls as well as a replay, and the manifest has them
echo 'nonsense' >bad.rules
echo "reject prefix $(sed -n '1s|\(.*://[^/]*/\).*|\1|p' web1.urls)" >some.rules
seq 0 1999 | awk '{ print $1 % 100 < 90 ? "a.test" : "h" $1 % 100 ".test" }' >most.hosts
compare 2 --graph web1.txt --seeds random:5 --policies bfs --rules bad.rules -q && grep -q 'bad.rules' errors &&
	compare 0 --graph web1.txt --seeds random:5 --policies bfs -q && cp results usual &&
	compare 0 --graph web1.txt --seeds random:5 --policies bfs --rules some.rules --out ruled -q && cp results ruled.rows &&
	! cmp -s usual results && compare 0 --from ruled/manifest.json -q && diff ruled.rows results >problem &&
	compare 0 --graph web1.txt --hosts most.hosts --seeds random:5 --policies bfs --max-pages 1500 -q && cp results usual &&
	compare 0 --graph web1.txt --hosts most.hosts --seeds random:5 --policies bfs --max-pages 1500 --host-share 0.01 --out shared -q && ! cmp -s usual results &&
	cp results shared.rows && compare 0 --from shared/manifest.json -q && diff shared.rows results >problem &&
	compare 2 --from shared/manifest.json --rules some.rules && grep -q -e '--rules cannot be given with --from' errors &&
	compare 0 --graph web1.txt --seeds random:5 --policies random --rng-seed 0 --out zero -q && cp results zero.rows &&
	compare 0 --from zero/manifest.json -q && diff zero.rows results >problem
result $? "rules and shares of hosts are those of the command, and of the manifest"
