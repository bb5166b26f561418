#!/bin/sh
# What the estimate of the hot pages that a crawl has is worth (monitor/census.h): the odds of the true share against those of
# crawled / (crawled + waiting), and how often the true share is within an interval that was fitted to all graphs but its own.
#
#   hot-share.sh LYCOSA SHARED     LYCOSA is the program, SHARED the folder with real graphs (--with-shared)
#
# Each graph is crawled by replays from three draws of seeds, a documentation site also from its first page, under five policies; each
# percent of the pages is a reading, from 100 pages on. Three tables, separated by empty lines, for the policies that rank by a model of what they
# will find (echo, scout) and for the others:
#   odds          the 10th, 50th and 90th percentile of the factor by which the odds of the truth are those of crawled to waiting
#   coverage      of each graph, by percentiles of the other graphs
#   all           the mean of these, of real and of generated graphs
set -eu
lycosa=$(readlink -f "$1")
shared=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for n in 2000 5000 12000; do "$lycosa" graph generate --nodes $n --rng-seed $n "generated-$n.txt" >/dev/null; done

for graph in "$shared"/data/doc-sites/*.txt.gz "$shared"/data/small-webs/*.txt.gz "$shared"/data/cs-stanford/*.graph \
	"$shared"/data/uic-2021/*.txt.gz "$shared"/data/uci-ics-2016/*.txt.gz "$shared"/data/uci-ics/*.txt.gz \
	"$shared"/data/uk-2007-05@100000/*.graph generated-*.txt; do
	name=$(basename "$graph" | sed 's/\..*//')
	[ "$name" != web-notredame ] || continue
	for draw in 1 2 3; do
		seeds=random:$((draw * draw * draw))
		case $graph-$draw in *doc-sites*-1) echo 0 >home && seeds=home ;; esac
		rm -rf report
		"$lycosa" compare --graph "$graph" --seeds $seeds --rng-seed $draw --draws 1 --policies bfs,opic,ieca,echo,scout --out report -q \
			>/dev/null 2>&1 || continue
		awk -F '\t' -v name="$name" '
			FILENAME ~ /graphs/ { pages = $3; next }
			FILENAME ~ /curves/ { hot[$1, $2] = $6; next }
			FNR > 1 && $2 * pages >= 100 && $3 * pages >= 1 && $2 < 0.97 {
				crawled = $2 * pages
				truth = hot[$1, $2]
				if (truth > 1 - 0.5 / crawled) truth = 1 - 0.5 / crawled
				if (truth < 0.5 / crawled) truth = 0.5 / crawled
				print name, ($1 == "echo" || $1 == "scout"), truth / (1 - truth) * $3 / $2
			}' report/graphs.tsv report/curves.tsv report/parts.tsv
	done
done | sort -k 3,3g >readings

awk '
	# the percentiles of the odds of a kind of policies, of all graphs but one, each of which has the same weight
	function percentiles(kind, but, i, sum, all, k) {
		all = 0
		for (i in count) { split(i, part, SUBSEP); if (part[2] == kind && part[1] != but) all++ }
		sum = 0; k = 1
		for (i = 1; i <= n && k <= 3; i++)
			if (of[i] == kind && name[i] != but) {
				sum += 1 / count[name[i], kind]
				while (k <= 3 && sum >= level[k] * all) at[k++] = odds[i]
			}
	}
	{ n++; name[n] = $1; of[n] = $2; odds[n] = $3 + 0; count[$1, $2]++; graphs[$1] = 1 }
	END {
		level[1] = 0.1; level[2] = 0.5; level[3] = 0.9
		print "policies\tlow\tmiddle\thigh"
		for (kind = 0; kind < 2; kind++) {
			percentiles(kind, "")
			printf "%s\t%.2f\t%.2f\t%.2f\n", kind ? "echo, scout" : "others", at[1], at[2], at[3]
		}
		print "\ngraph\tothers\techo, scout"
		for (g in graphs) {
			line = g
			for (kind = 0; kind < 2; kind++) {
				percentiles(kind, g)
				held = 0
				for (i = 1; i <= n; i++) if (name[i] == g && of[i] == kind) held += odds[i] >= at[1] && odds[i] <= at[3]
				if (!count[g, kind]) continue
				line = line sprintf("\t%.2f", held / count[g, kind])
				made = g ~ /^generated/
				sum[made, kind] += held / count[g, kind]; all[made, kind]++
			}
			print line
		}
		print "\ngraphs\tothers\techo, scout"
		for (made = 0; made < 2; made++)
			printf "%s\t%.3f\t%.3f\n", made ? "generated" : "real", sum[made, 0] / all[made, 0], sum[made, 1] / all[made, 1]
	}' readings
