#!/bin/sh
# Writes doc/results.md and doc/results/: what policies and seed methods are worth on the graphs there are.
#
#   LYCOSA=build/lycosa build-aux/results.sh DATA DOC
#
# DATA is the folder of the data sets, DOC the folder `doc`; what is not in DATA is left out and named.
# Every study is a job file of doc/studies. A finding there that its table contradicts fails this script before it
# writes anything, and every number in a finding is filled in by `lycosa study`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
DATA=$(cd "$1" && pwd) doc=$(cd "$2" && pwd)
lycosa=${LYCOSA:-$here/../build/lycosa}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
MADE=$work/made
export DATA MADE
jobs='random roots hosts ties yardsticks-random yardsticks-roots batch seeds ieca-delta ieca-form ieca-beta fica-gamma hits coverage politeness changes'

mkdir "$MADE" "$work/figures"
for seed in 1 2 3; do
	"$lycosa" graph generate -q --nodes 20000 --rng-seed $seed --write-urls "$MADE/generated-$seed.urls" \
		"$MADE/generated-$seed.txt"
done
# the links of walk-hosts-old in one month, and those of walk-hosts-new in the next, by the names of the hosts
if [ -r "$DATA/walk-hosts-old/walk-hosts-old.txt.gz" ] && [ -r "$DATA/walk-hosts-new/walk-hosts-new.txt.gz" ]; then
	for month in old:201406 new:201407; do
		part=$DATA/walk-hosts-${month%:*}/walk-hosts-${month%:*}
		gzip -dc "$part.urls.gz" >"$work/urls"
		gzip -dc "$part.txt.gz" | awk -v month="${month#*:}" -v OFS='\t' '
			NR == FNR { sub("^[a-z]*://", ""); sub("/.*", ""); host[FNR - 1] = $0; next }
			!/^#/ { print month, host[$1], host[$2] }' "$work/urls" -
	done >"$MADE/walk.txt"
	rm "$work/urls"
fi
for job in $jobs; do
	echo "results: $job" >&2
	"$lycosa" study "$doc/studies/graphs.ini" "$doc/studies/$job.ini" -q --out "$work/$job" --progress=none >/dev/null
done
if [ -r "$DATA/cs-stanford/cs-stanford.txt.gz" ]; then
	"$lycosa" compare -q --graph "$DATA/cs-stanford/cs-stanford.txt.gz" --seeds random:0.001 --draws 10 --out "$work/work" \
		--policies ieca,fica,partial-pagerank,batch-pagerank,opic,backlink,bfs >/dev/null 2>&1
fi

# figure NUMBER STUDY FIGURE TABLE [GRAPH] CAPTION: copies a figure with its data beside it, and shows it
figure() {
	number=$1 study=$2 figure=$3 table=$4 graph=$5 caption=$6
	[ -s "$work/$study/$figure.svg" ] || return 0
	name=figure-$number-$(echo "$study" | tr / -)
	cp "$work/$study/$figure.svg" "$work/figures/$name.svg"
	cp "$work/$study/$figure.pdf" "$work/figures/$name.pdf"
	awk -F '\t' -v graph="$graph" 'NR == 1 || graph == "" || $1 == graph' "$work/$study/$table.tsv" >"$work/figures/$name.tsv"
	printf '<a id="figure-%s"></a>\n![%s](results/figures/%s.svg)\n\n' "$number" "$caption" "$name"
	printf '**Figure %s.** %s ([PDF](results/figures/%s.pdf), [data](results/figures/%s.tsv))\n\n' "$number" "$caption" "$name" "$name"
}

figures() {
	figure 1 roots critical-difference places '' 'Mean places of the policies from the roots. A bar joins policies that the critical difference (CD) does not tell apart.'
	figure 2 random critical-difference places '' 'Mean places from random seeds.'
	figure 3 hosts critical-difference places '' 'Mean places from a page of each host.'
	figure 4 random curves-cnr-2000 curves cnr-2000 'Discoverable throughput on cnr-2000 (IECA paper, Figures 4 to 6), random seeds, 3 draws.'
	figure 5 random curves-uk-2007-05 curves uk-2007-05 'The same on uk-2007-05@100000, 3 draws.'
	figure 6 ieca-delta variation families '' 'IECA: throughput at 45% of the pages by delta at the start (IECA paper, Figure 3).'
	figure 7 fica-gamma variation families '' 'FICA: throughput at 45% of the pages by gamma.'
	figure 8 work parts-cs-stanford.txt.gz parts '' 'Pages that take part in the computation of importance on cs-stanford (IECA paper, Figure 8).'
	figure 9 coverage/uic-2021 pages-by-seeds coverage '' 'Pages within 5 links of k seeds on the sites of uic-2021, in percent better than random seeds (Zheng, Dmitriev and Giles, Figures 2 to 5).'
	figure 10 hits/uic-2021 level-ranks levels '' 'Mean PageRank by iteration from seeds of HITS cores on uic-2021 (Daneshpajouh, Nasiri and Ghodsi, Figures 9 to 12).'
	figure 11 changes then-walk-by-month times walk-by-month 'A web that changes after ten minutes, by the ranking of the web as it is by then (grey: of all links ever seen): walk-hosts-old becomes walk-hosts-new.'
}

# shown STUDY TABLE: the rows of a table of a study's report
shown() {
	sed -n "/^## $2/,/^## [^${2%"${2#?}"}]/{/^|/p}" "$work/$1/report.md"
}

findings() {
	for job in $jobs; do
		[ ! -s "$work/$job/claims.tsv" ] || awk -F '\t' '$4 == "finding" { print "* " $1 "." }' "$work/$job/claims.tsv"
	done
}

# of Table II, from each kind of seeds; of IECA's parameters; of the papers on seeds: the effect, the graphs and the test before
# the verdict
claims() {
	printf '| claim | from random seeds | from the roots | from a page of each host |\n|---|---|---|---|\n'
	awk -F '\t' '$4 == "claim" { sub("^against [^ ]+ ", "", $3); if (!($1 in row)) order[++n] = $1
			row[$1] = row[$1] " " $3 ": **" $2 "** |" }
		END { for (i = 1; i <= n; i++) print "| " order[i] " |" row[order[i]] }' \
		"$work/random/claims.tsv" "$work/roots/claims.tsv" "$work/hosts/claims.tsv"
	printf '\nFigures [1](#figure-1), [2](#figure-2) and [3](#figure-3) have the mean places.\n\n| claim | seen | verdict |\n|---|---|---|\n'
	for job in ties ieca-delta; do
		awk -F '\t' '$4 == "claim" { printf "| %s | %s | **%s** |\n", $1, $3, $2 }' "$work/$job/claims.tsv"
	done
	for paper in coverage:"Zheng et al., [figure 9](#figure-9)" hits:"Daneshpajouh et al., [figure 10](#figure-10)"; do
		awk -F '\t' -v paper="${paper#*:}" '$4 == "claim" { printf "| %s (%s) | %s | **%s** |\n", $1, paper, $3, $2 }' \
			"$work/${paper%%:*}/claims.tsv"
	done
}

# the frame of the tables that ./reproduce makes, a table a job file of studies/
frame() {
	cat "$here/results-again.md"
	for job in "$here"/../studies/*.ini; do
		name=$(basename "$job" .ini)
		[ "$name" = graphs ] || printf '\n### %s\n\n[`studies/%s.ini`](../studies/%s.ini)\n\n<!-- studies/%s.ini -->\n\n' \
			"$(sed -n 's/^title = //p' "$job")" "$name" "$name" "$name"
	done
}

{
	cat "$here/results-head.md"
	findings
	printf '\n## Claims of the papers\n\n'
	claims
	printf '\n## Figures\n\n'
	figures
	printf '## Discoverable throughput at 45%% of the pages, random seeds (%%)\n\nThe throughput of the IECA paper, whose Table II stands below. ± is half of a 95%% interval over draws.\n\n'
	shown random Discoverable
	cat "$here/results-paper.md"
	printf '\n## Strict throughput at 45%% of the pages, random seeds (%%)\n\nOf all hot pages, whether the seeds lead to them or not; the paper has no such figure.\n\n'
	shown random Strict
	printf '\n## What is left to win\n\n'
	cat "$here/results-left.md"
	for seeds in 'random seeds':random 'the roots':roots; do
		printf '\nFrom %s, AUC of strict throughput in percent:\n\n' "${seeds%%:*}"
		shown "yardsticks-${seeds#*:}" 'The gap'
	done
	frame
	cat "$here/results-threats.md"
	printf '\n## Everything else\n\n| study | tables |\n|---|---|\n'
	for study in $jobs; do
		printf '| %s (`studies/%s.ini`) | [`results/%s/`](results/%s/) |\n' "$(sed -n 's/^title = //p' "$doc/studies/$study.ini")" $study $study $study
	done
} >"$work/results.md"

# what is kept of each study: its tables but the longest, which come again from the job
rm -rf "$doc/results"
(cd "$work" && find . -mindepth 1 -type d ! -path ./made) | while read -r study; do
	mkdir -p "$doc/results/$study"
	case $study in
	./figures) cp "$work/$study/"* "$doc/results/$study/" ;;
	*) for table in claims claims_by_graph places effects friedman families graphs discoverable strict standing work gaps \
		levels distances core_distances cores coverage coverage_average kinds times; do
		[ ! -s "$work/$study/$table.tsv" ] || cp "$work/$study/$table.tsv" "$doc/results/$study/"
	done ;;
	esac
done
mv "$work/results.md" "$doc/results.md"
LYCOSA=$lycosa LYCOSA_DATA=${LYCOSA_DATA:-$DATA} "$here/../reproduce" --write
