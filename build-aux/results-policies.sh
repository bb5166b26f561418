#!/bin/sh
# For results.sh: the policies, after the protocol of Table II of the IECA paper, and how much hangs on
# its choices. Reads $WORK/graphs; prints Markdown. DRAWS, BIG_DRAWS and FEW change how many draws are made.
set -eu
cd "$WORK"
draws=${DRAWS:-30}
big_draws=${BIG_DRAWS:-10} few_big=${FEW:-10}
threads=0 # one a processor
seven=ieca,fica,partial-pagerank,batch-pagerank,opic,backlink,bfs

here=$(dirname "$0")
# shellcheck source=build-aux/results-stats.sh
. "$here/results-stats.sh"

# run OUT GRAPH DRAWS FLAGS...: the rows of a comparison: policy draw crawled hot discoverable at; in
# OUT.all those of all draws, in OUT those of the draws that get to 45%
run() {
	out=$1 graph=$2 n=$3
	shift 3
	"$LYCOSA" compare --graph "$graph.csr" --draws "$n" --at 0.45,1 -q --progress=none \
		--threads "$threads" "$@" |
		awk -F '\t' -v OFS='\t' '/^# nodes: / { n = substr($0, 10) } !/^#/ && $1 != "policy" {
			print $1, $2, $3, $4, $5, $9, int(0.45 * n + 1e-9) }' >"$out.all"
	awk -F '\t' 'NR == FNR { short[$2] += $6 == 0.45 && $3 < $7; next } !short[$2]' "$out.all" "$out.all" >"$out"
}

# mean FILE POLICY [COLUMN]: the mean at the 45% point, in percent, and half of its interval
mean() {
	stat -v p="$2" -v c="${3:-4}" "$stats"'$1 == p && $6 == 0.45 { x = 100 * $c; n++; sum += x; squares += x * x }
		END { if (n) printf "%.1f ±%.1f", sum / n, half(n, sum, squares); else printf "–" }' "$1"
}
point() { mean "$1" "$2" "${3:-4}" | sed 's/ .*//'; }

# best_of FILE POLICY...: those with the highest mean, as printed
best_of() {
	file=$1
	shift
	for p in "$@"; do echo "$(point "$file" "$p") $p"; done | sort -k 1,1nr -s |
		awk 'NR == 1 { b = $1 } $1 == b && b != "–" { printf "%s%s", c, $2; c = ", " }' | sed 's/-pagerank//g'
}

draws_of() { [ "$(awk -F '\t' -v g="$1" '$1 == g { print $2 }' graphs)" = big ] && echo "$big_draws" || echo "$draws"; }
all=$(cut -f 1 graphs)
# those on which sensitivities are measured
some=
for g in cnr-2000 cs-stanford walk-hosts-old walk-hosts-new hollins generated-1; do
	! echo "$all" | grep -qx $g || some="$some $g"
done
few() { [ "$1" = cnr-2000 ] && echo "$few_big" || echo $((draws / 3 > 5 ? draws / 3 : 5)); }

# row CELLS...: a line of a table
row() {
	line='|'
	for cell in "$@"; do line="$line $cell |"; done
	echo "$line"
}
head_row() {
	row "$@"
	line='|'
	for cell in "$@"; do line="$line --- |"; done
	echo "$line"
}

# --- the protocol
cat <<EOF
## Policies: the protocol of Table II

Golshani and Zareh Bidoki, "IECA: Intelligent Effective Crawling Algorithm for Web Pages" (2012), Table II: the hot pages found
(the K of highest PageRank, d = 0.85) when 45% of the graph is crawled. Here: seeds are 0.1% of the pages, drawn at random; a
batch is N/40 pages; crawls run to the end; $draws draws ($big_draws on cnr-2000), the same seeds for all policies, rng seeds from 1.
Throughput is *strict*: of all K hot pages, whether the seeds reach them or not. ± is half of a 95% interval of the mean.

How the paper drew its seeds and its subgraphs is not known, and two of its graphs are not public, so that its order and rough
gaps can be compared, its digits cannot. On the data sets that a crawler left behind (most of those here) a page that was never
fetched has no links, and so few random seeds often reach too little for 45% to be crawled at all. Such draws, on which all
policies crawl the same pages, say nothing of policies and are left out below ("ends before"), and so are graphs with fewer than
five others; these are crawled from their roots instead, further down. cnr-2000-java is cnr-2000 in another order of its nodes, and is
not run; canpol is all its months together; generated-N are \`lycosa graph generate --nodes 20000 --rng-seed N\`.

EOF
[ ! -s missing ] || printf 'Missing, and left out: %s.\n\n' "$(tr '\n' ' ' <missing | sed 's/ $//')"

: >verdicts
: >coverage
for g in $all; do
	run "main.$g" "$g" "$(draws_of "$g")" --seeds random:0.001 --policies "$seven,random,omniscient"
	nodes=$("$LYCOSA" graph info --graph "$g.csr" | awk '$1 == "nodes" { print $2 }')
	arcs=$("$LYCOSA" graph info --graph "$g.csr" | awk '$1 == "arcs" { print $2 }')
	stat -v g="$g" -v nodes="$nodes" -v arcs="$arcs" "$stats"'$1 == "bfs" && $6 == 1 { n++; sum += $3 / nodes }
		$1 == "bfs" && $6 == 0.45 && $3 < $7 { short++ }
		END { m = int(nodes / 1000); print g, nodes, arcs, (m > 1 ? m : 1), n, sum / n, short + 0 }' \
		"main.$g.all" >>coverage
done
# graphs of which enough draws get to 45%, and the others
good=$(awk -F '\t' '$5 - $7 >= 5 || $5 == $5 - $7 { print $1 }' coverage)
poor=$(awk -F '\t' '!($5 - $7 >= 5 || $5 == $5 - $7) { print $1 }' coverage)

head_row graph pages links seeds draws "reached from the seeds" "ends before 45%"
awk -F '\t' '{ printf "| %s | %d | %d | %d | %d | %.1f%% | %s |\n", $1, $2, $3, $4, $5, 100 * $6,
	($7 ? $7 " of " $5 " draws" : "") }' coverage

cat <<EOF

### Hot pages found at the 45% point (%)

EOF
head_row graph ieca fica partial batch opic backlink bfs random omniscient
for g in $good; do
	set --
	for p in ieca fica partial-pagerank batch-pagerank opic backlink bfs random omniscient; do
		set -- "$@" "$(mean "main.$g" $p)"
	done
	row "$g" "$@"
done
# the mean of the graphs, each alike
set --
for p in ieca fica partial-pagerank batch-pagerank opic backlink bfs random omniscient; do
	set -- "$@" "**$(for g in $good; do point "main.$g" $p; echo; done | awk '{ s += $1; n++ } END { printf "%.1f", s / n }')**"
done
row "**mean**" "$@"
row "paper: Berkeley, 4 M" 75 70 73 69 68 65 65 "" ""
row "paper: UK, 10 M" 57 49 53 51 51 49 48 "" ""
row "paper: Iran, 3 M" 80 65 73 72 70 74 68 "" ""
row "paper: mean" 71 61 66 64 63 62 60 "" ""

cat <<EOF

### The order

The seven of the paper, best first; "=" where the difference to the next is not told from none by Wilcoxon's signed-rank
test on the same draws, at 0.05 after Holm's correction for the six.

EOF
# "ieca > opic = bfs"
by_order='
$6 == 0.45 && index("," seven ",", "," $1 ",") { x[$1, $2] = 100 * $4; sum[$1] += 100 * $4; n[$1]++; if ($2 > d) d = $2 }
END {
	for (p in n) name[++m] = p
	for (i = 2; i <= m; i++)
		for (j = i; j > 1 && (sum[name[j]] > sum[name[j - 1]] ||
			sum[name[j]] == sum[name[j - 1]] && name[j] < name[j - 1]); j--) {
			s = name[j]; name[j] = name[j - 1]; name[j - 1] = s
		}
	for (i = 1; i < m; i++) {
		c = 0
		for (k = 1; k <= d; k++)
			if ((name[i], k) in x)
				y[++c] = x[name[i], k] - x[name[i + 1], k]
		p_of[i] = c > 1 ? wilcoxon(y, c) : y[1] == 0
	}
	if (c > 1)
		holm(p_of, m - 1)
	for (i = 1; i <= m; i++)
		printf "%s%s", name[i], i == m ? "\n" : p_of[i] < 0.05 ? " > " : " = "
}
'
order() { stat -v seven=$seven "$stats$by_order" "$1" | sed 's/-pagerank//g'; }
head_row graph order
for g in $good; do row "$g" "$(order "main.$g")"; done
row "paper, mean" "ieca > partial > batch > opic > backlink > fica > bfs"

cat <<EOF

### IECA against each of the others

On how many of the $(echo "$good" | wc -l) graphs IECA is better at the 45% point than the other, cannot be told from it, or is worse: by Wilcoxon's
signed-rank test on the same draws, at 0.05 after Holm's correction for the eight on a graph.

EOF
head_row against better equal worse "worse on" "paper, mean difference" "here, mean difference"
others="partial-pagerank batch-pagerank opic backlink fica bfs random omniscient"
for g in $good; do
	stat -v others="$others" -v g="$g" "$stats"'$6 == 0.45 { x[$1, $2] = 100 * $4; if ($2 > d) d = $2 }
		END {
			n = split(others, name, " ")
			for (i = 1; i <= n; i++) {
				c = 0
				for (k = 1; k <= d; k++)
					if (("ieca", k) in x) { y[++c] = x["ieca", k] - x[name[i], k]; sum[i] += y[c] }
				p[i] = wilcoxon(y, c)
			}
			holm(p, n)
			for (i = 1; i <= n; i++)
				print g, name[i], sum[i] / c, (p[i] >= 0.05 ? "equal" : sum[i] > 0 ? "better" : "worse")
		}' "main.$g"
done >against
for pair in partial-pagerank:5 batch-pagerank:7 opic:8 backlink:9 fica:10 bfs:11 random: omniscient:; do
	p=${pair%:*}
	awk -F '\t' -v p="$p" '$2 == p' against >pair
	cat pair >>verdicts
	row "${p%-pagerank}" "$(grep -c 'better$' pair || :)" "$(grep -c 'equal$' pair || :)" "$(grep -c 'worse$' pair || :)" \
		"$(awk -F '\t' '$4 == "worse" { printf "%s%s", c, $1; c = ", " }' pair)" "${pair#*:}" \
		"$(awk -F '\t' '{ s += $3 } END { printf "%+.1f", s / NR }' pair)"
done
echo
# in words, as far as the figures go
awk -F '\t' -v n="$(echo "$good" | wc -l)" '
	{ c[$2, $4]++; sum[$2] += $3 }
	END {
		split("partial-pagerank batch-pagerank opic fica backlink bfs", p, " ")
		for (i = 1; i <= 6; i++) {
			b = c[p[i], "better"] + 0; w = c[p[i], "worse"] + 0
			if (b > w && b * 2 > n) v = "as in the paper: IECA is ahead on most graphs"
			else if (b > w) v = "IECA is ahead on more graphs than it is behind, but not on most"
			else if (b == w) v = "not as in the paper: IECA is ahead as often as behind"
			else v = "**not as in the paper**: IECA is behind on more graphs than it is ahead"
			printf "* %s: %s (%d better, %d worse, mean difference %+.1f).\n", p[i], v, b, w, sum[p[i]] / n
		}
	}' verdicts

# --- the rest, a function a section

section_ties() {
cat <<EOF

### With ties shared

The same, where a page as good as the K-th is hot, too (Cho's definition); of all pages many tie at the lowest PageRank.

EOF
head_row graph ieca fica partial batch opic backlink bfs "changes the order"
for g in $good; do
	run "ties.$g" "$g" "$(few "$g")" --seeds random:0.001 --policies "$seven" --ties
	set --
	for p in ieca fica partial-pagerank batch-pagerank opic backlink bfs; do set -- "$@" "$(mean "ties.$g" $p)"; done
	was=$(awk -F '\t' -v d="$(few "$g")" '$2 <= d' "main.$g" | stat -v seven=$seven "$stats$by_order" | sed 's/-pagerank//g')
	is=$(order "ties.$g")
	[ "$(echo "$was" | tr '=' '>')" = "$(echo "$is" | tr '=' '>')" ] && same=no || same="$is"
	row "$g" "$@" "$same"
done
}

section_roots() {
if [ -n "$poor" ]; then
	cat <<EOF

### Graphs that random seeds do not reach, from their roots

A seed for each component that no other links to: all can be reached then, but much of it lies one link from a seed. One crawl each,
so that no interval can be given.

EOF
	head_row graph seeds "of the pages" ieca fica partial batch opic backlink bfs random omniscient best
	for g in $poor; do
		run "roots.$g" "$g" 1 --seeds roots --policies "$seven,random,omniscient"
		number=$("$LYCOSA" replay --graph "$g.csr" --seeds roots --policy bfs -q | sed -n 's/^# seeds_found: //p')
		set --
		for p in ieca fica partial-pagerank batch-pagerank opic backlink bfs random omniscient; do
			set -- "$@" "$(point "roots.$g" $p)"
		done
		row "$g" "$number" "$(awk -F '\t' -v g="$g" -v n="$number" '$1 == g { printf "%.1f%%", 100 * n / $2 }' coverage)" "$@" \
			"$(best_of "roots.$g" $(echo $seven | tr ',' ' '))"
	done
fi
}

section_k() {
cat <<EOF

## Pages between rerankings: N/40, N/16, N/12

The paper's k = 250,000 is N/40 on its UK graph, N/16 and N/12 on the others. Hot pages found at the 45% point (%).

EOF
head_row graph k ieca fica partial batch opic backlink bfs order
for g in $some; do
	nodes=$(awk -F '\t' -v g="$g" '$1 == g { print $2 }' coverage)
	for part in 40 16 12; do
		run "k$part.$g" "$g" "$(few "$g")" --seeds random:0.001 --policies $seven --batch $(((nodes + part - 1) / part))
		set --
		for p in ieca fica partial-pagerank batch-pagerank opic backlink bfs; do set -- "$@" "$(point "k$part.$g" $p)"; done
		row "$g" "N/$part" "$@" "$(order "k$part.$g")"
	done
done
}

section_seeds() {
cat <<EOF

## Seeds: how many, and which

Hot pages found at the 45% point (%), strict, from seeds of other kinds: a share of the pages at random, the first page of
each host, and the roots (a page of each component that no other links to). Reached: the pages that the seeds reach, of all.
One set each of hosts:1 and roots, so there are no intervals. "of those reached" is the discoverable throughput of IECA.

EOF
head_row graph seeds number reached ieca fica partial opic bfs "ieca, of those reached" best
for g in $some; do
	nodes=$(awk -F '\t' -v g="$g" '$1 == g { print $2 }' coverage)
	for seeds in random:0.0005 random:0.0017 random:0.0057 hosts:1 roots; do
		n=$(few "$g")
		case $seeds in
		hosts:1) [ -e "$g.urls.gz" ] || continue; n=1 ;;
		roots) n=1 ;;
		esac
		run "s$seeds.$g" "$g" $n --seeds $seeds --policies ieca,fica,partial-pagerank,opic,bfs
		number=$("$LYCOSA" replay --graph "$g.csr" --seeds $seeds --policy bfs -q | sed -n 's/^# seeds_found: //p')
		reached=$(awk -F '\t' -v n="$nodes" '$1 == "bfs" && $6 == 1 { s += $3; m++ } END { printf "%.1f", 100 * s / m / n }' "s$seeds.$g.all")
		set --
		best=$(best_of "s$seeds.$g" ieca fica partial-pagerank opic bfs)
		for p in ieca fica partial-pagerank opic bfs; do set -- "$@" "$(point "s$seeds.$g" $p)"; done
		row "$g" $seeds "$number" "$reached" "$@" "$(point "s$seeds.$g" ieca 5)" "$best"
	done
done
}

# --- IECA's parts
# variants TITLE OPTIONS...: a row an option (several with +), a column a graph
variants() {
	policy=$1
	shift
	head_row "$policy" $some mean
	for option in "$@"; do
		set --
		label=$(echo "$option" | tr '+' ' ')
		for o in $label; do [ "$o" = default ] || set -- "$@" --policy-opt "$o"; done
		cells=
		for g in $some; do
			f="v.$policy.$option.$g"
			run "$f" "$g" "$(few "$g")" --seeds random:0.001 --policies "$policy" "$@"
			cells="$cells $(point "$f" "$policy")"
		done
		# shellcheck disable=SC2086 # words
		row "$label" $cells "$(echo $cells | awk '{ for (i = 1; i <= NF; i++) s += $i; printf "%.1f", s / NF }')"
	done
	echo
}

section_parts() {
cat <<EOF

## IECA's parts

Hot pages found at the 45% point (%), mean of $(few x) draws; all else as in the protocol.

### Its equations

\`form\` goes back over the steps of the derivation: (4) is a weighted logarithmic distance; (7) adds the reward of links, LF; (9)
lets the weight of the parent grow during the crawl (1 - delta); (10) balances distance and reward by delta: the algorithm.

EOF
variants ieca form=4+weight=0.1 form=4+weight=0.35 form=7+weight=0.1 form=7+weight=0.35 form=9 form=10 form=10+f=symmetric
}

section_delta() {
cat <<EOF
### delta at the start

delta falls by 0.28 over the crawl, or to 0.

EOF
variants ieca delta0=0 delta0=0.05 delta0=0.1 delta0=0.15 delta0=0.2 delta0=0.25 delta0=0.3 delta0=0.35 delta0=0.4 delta0=0.45 \
	delta0=0.5 delta0=0.55 delta0=0.6
echo 'The paper (Figure 3) has the best start in 0.3 to 0.35. Here:'
echo
for g in $some; do
	for d in 0 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.55 0.6; do
		awk -F '\t' -v OFS='\t' -v d=$d '$6 == 0.45 { print d, $2, $4 }' "v.ieca.delta0=$d.$g"
	done >deltas
	# the best start, and its paired difference to the better of 0.3 and 0.35
	stat -v g="$g" "$stats"'{ x[$1, $2] = 100 * $3; sum[$1] += 100 * $3; if ($2 > n) n = $2 }
		END { for (d in sum) if (best == "" || sum[d] > sum[best] || sum[d] == sum[best] && d + 0 < best + 0) best = d
			p = sum["0.3"] > sum["0.35"] ? "0.3" : "0.35"
			for (k = 1; k <= n; k++) if ((best, k) in x) { y[++c] = x[best, k] - x[p, k]; s += y[c]; q += y[c] * y[c] }
			if (!c) exit
			within = best + 0 >= 0.3 && best + 0 <= 0.35
			# the best of thirteen
			print g, best, (within ? "within" : "outside"), s / c, half(c, s, q), (12 * wilcoxon(y, c) < 0.05 ? "apart" : "equal") }' deltas
done >best_delta
head_row graph "best delta0" "in [0.3, 0.35]" "better than there by" "told apart"
awk -F '\t' '{ printf "| %s | %s | %s | %s | %s |\n", $1, $2, ($3 == "within" ? "yes" : "no"),
	($3 == "within" ? "" : sprintf("%.1f ±%.1f", $4, $5)), ($3 == "within" ? "" : $6 == "apart" ? "yes" : "no") }' best_delta
echo
awk -F '\t' '{ n++; w += $3 == "within"; a += $3 != "within" && $6 == "apart" }
	END { if (w == n) print "That is so on all of them."
		else if (!a) printf "The best lies there on %d of %d graphs; on the others it cannot be told apart from the best of these.\n", w, n
		else printf "The best lies there on %d of %d graphs; on %d it lies elsewhere, and measurably so.\n", w, n, a }' best_delta
}

section_rest() {
cat <<EOF

### The end of delta, beta, and the distance of a seed

With delta0 = 0.35 the end is 0.35 - fall: 0.07 where fall is 0.28, the paper's.

EOF
variants ieca fall=0 fall=0.1 fall=0.2 fall=0.28 fall=0.35
variants ieca beta=0 beta=0.02 beta=0.05 beta=0.1 beta=0.2 beta=0.5 beta=1
variants ieca d0=0 d0=0.1 d0=0.3 d0=1 d0=3
}

section_fica() {
cat <<EOF
## FICA's gamma

FICA is reconstructed here from equations (2) to (5) of the IECA paper, which print its factor as 0.1 to 0.35; gamma = 0.5, the default, is
from memory of the original. \`update=avg\` lets every parent move a page, not the nearer ones alone.

EOF
variants fica gamma=0.1 gamma=0.2 gamma=0.35 gamma=0.5 gamma=0.75 gamma=1 gamma=0.35+update=avg gamma=0.5+update=avg
}

section_rankings() {
cat <<EOF
## IECA, FICA and OPIC as rankings

The paper's future work: the crawl run to its end, and each page ranked by what it came to: its final distance (ieca, fica), or its
cash and history (opic). Seeds are those of the first draw above, or the roots where that draw reaches less than 45% of the graph.
Kendall's tau-b over all pages (what is not reached ties at the end), and the share of the best 1% that is also among the best 1%
by PageRank, and by in-degree. The last row of a graph is the in-degree itself against PageRank.

EOF
head_row graph seeds ranking "tau-b, PageRank" "best 1%" "tau-b, in-degree" "best 1%"
for g in $all; do
	from=$(awk -F '\t' '$2 == 1 && $6 == 0.45 && $3 < $7 { short = 1 } END { print short ? "roots" : "random:0.001" }' "main.$g.all")
	for by in ieca fica opic indegree; do
		seeds=
		[ $by = indegree ] || seeds="--seeds $from"
		# shellcheck disable=SC2086 # words
		"$LYCOSA" rank --graph "$g.csr" --by $by $seeds --against pagerank,indegree -q |
			awk -F '\t' -v g="$g" -v by=$by -v from="${seeds#--seeds }" '$1 == "pagerank" { t = $2; o = $4 }
				$1 == "indegree" { printf "| %s | %s | %s | %.3f | %.1f%% | ", g, from, by, t, 100 * o
					if (by == "indegree") print " | |"; else printf "%.3f | %.1f%% |\n", $2, 100 * $4
					print g "\t" by "\t" t "\t" o >>"rankings" }'
	done
done
echo
awk -F '\t' '{ t[$2] += $3; o[$2] += $4; n[$2]++
		if (!($1 in best) || $3 > best[$1]) { best[$1] = $3; who[$1] = $2 } }
	END { printf "Mean over the graphs, tau-b with PageRank and share of its best 1%%: ieca %.3f and %.1f%%, fica %.3f and %.1f%%, opic %.3f and %.1f%%, in-degree %.3f and %.1f%%.\n",
			t["ieca"] / n["ieca"], 100 * o["ieca"] / n["ieca"], t["fica"] / n["fica"], 100 * o["fica"] / n["fica"],
			t["opic"] / n["opic"], 100 * o["opic"] / n["opic"], t["indegree"] / n["indegree"], 100 * o["indegree"] / n["indegree"]
		for (g in who) c[who[g]]++
		printf "Nearest to PageRank by tau-b: ieca on %d, fica on %d, opic on %d, in-degree on %d graphs.\n", c["ieca"], c["fica"], c["opic"], c["indegree"] }' rankings
}

section_work() {
cat <<EOF

## What a policy has to look at

Section V and Figure 8 of the paper: operations of a whole crawl, counted, against its bounds E log2 V (heap moves) and 50 E (K+1)
(links visited by K rankings of 100 sweeps), and pages taking part in the computation of importance when 52% is crawled, in percent
of the graph. First draw of the protocol.

EOF
head_row graph policy "heap moves" "of E log2 V" "links ranked" "of 50 E (K+1)" "taking part at 52%" "bytes a page"
for g in $(echo "$some" | awk '{ print $1, $NF }'); do
	"$LYCOSA" compare --graph "$g.csr" --seeds random:0.001 --policies $seven --at 0.45 -q --progress=none --out "work.$g" >/dev/null 2>&1
	awk -F '\t' -v g="$g" '/^#parts\t/ && $3 == 0.52 { part[$2] = $5 }
		/^#work\t/ && $2 != "policy" { n++; name[n] = $2; moves[n] = $5; bound[n] = $6; ranked[n] = $8; rank[n] = $9; bytes[n] = $11 }
		END { for (i = 1; i <= n; i++) printf "| %s | %s | %d | %.3f | %d | %.3f | %.1f%% | %.1f |\n", g, name[i],
			moves[i], moves[i] / bound[i], ranked[i], ranked[i] / rank[i], 100 * part[name[i]], bytes[i] }' "work.$g/results.tsv"
done
}

# Side by side, each with one thread; printed in their order.
threads=1
sections='ties roots k seeds parts delta rest fica rankings work'
pids=
for section in $sections; do
	(section_$section >"$section.md") &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
for section in $sections; do cat "$section.md"; done
