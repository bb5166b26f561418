#!/bin/sh
# Writes doc/results.md and doc/results/: what policies and seed methods are worth on the graphs there are.
#
#   LYCOSA=build/lycosa build-aux/results.sh DATA DOC
#
# DATA is the folder of the data sets, DOC the folder `doc`; what is not in DATA is left out and named.
# Every study is a job file of doc/studies; a finding there that its table contradicts fails this script.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
DATA=$(cd "$1" && pwd) doc=$(cd "$2" && pwd)
lycosa=${LYCOSA:-$here/../build/lycosa}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
MADE=$work
export DATA MADE

for seed in 1 2 3; do
	"$lycosa" graph generate -q --nodes 20000 --rng-seed $seed --write-urls "$work/generated-$seed.urls" \
		"$work/generated-$seed.txt"
done

# keep NAME: of what a study left, what is read in the repository; all of it comes again from the job
keep() {
	rm -rf "${doc:?}/results/$1" && mkdir -p "$doc/results/$1"
	sed '/^## Curves/,$d; /^!\[Discoverable/d' "$work/$1/report.md" >"$doc/results/$1/report.md"
	for table in claims places pairs friedman families graphs discoverable strict \
		levels distances cores coverage coverage_average coverage_claims kinds; do
		[ ! -s "$work/$1/$table.tsv" ] || cp "$work/$1/$table.tsv" "$doc/results/$1/"
	done
	[ ! -s "$work/$1/critical-difference.svg" ] || cp "$work/$1/critical-difference.svg" "$doc/results/$1/"
}

for job in ${STUDIES:-random large roots hosts ties batch seeds ieca-delta ieca-form ieca-beta fica-gamma}; do
	echo "results: $job" >&2
	"$lycosa" study "$doc/studies/graphs.ini" "$doc/studies/$job.ini" -q --out "$work/$job" --progress=none
	keep "$job"
done
[ ! -s "$work/random/curves-cs-stanford.svg" ] || cp "$work/random/curves-cs-stanford.svg" "$doc/results/random/"
for name in uic-2021 cs-stanford uci-ics-2016-full; do
	graph=$DATA/$name/$name.txt.gz
	[ -r "$graph" ] || continue
	"$lycosa" seeds -q --graph "$graph" --method hits --count 11 --draws 10 --out "$work/hits-$name" >/dev/null
	keep "hits-$name"
	"$lycosa" coverage -q --graph "$graph" --out "$work/coverage-$name"
	keep "coverage-$name"
done

# markdown TABLE: rows of tab-separated values as a table
markdown() {
	awk -F '\t' '{ printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; print "" }
		NR == 1 { printf "|"; for (i = 1; i <= NF; i++) printf "---|"; print "" }' "$1"
}
{
	cat "$here/results-head.md"
	cut -f 1,2 "$work/random/claims.tsv" >"$work/claim"
	paste "$work/claim" "$work/roots/claims.tsv" "$work/hosts/claims.tsv" "$work/roots/claims.tsv" |
		awk -F '\t' -v OFS='\t' 'NR == 1 { print "claim of the IECA paper, Table II", "random seeds", "roots", "a page a host", "seen from the roots"; next }
			{ print $1, $2, $4, $7, $11 }' >"$work/claims"
	markdown "$work/claims"
	printf '\nIn every column: discoverable throughput at 45%% of the pages, over independent graphs.\n\n'
	for job in random roots hosts; do
		printf '![Mean places: %s](results/%s/critical-difference.svg)\n\n' $job $job
		sed -n '/^Mean places over/p' "$work/$job/report.md" | sed "s/^/$(sed -n 's/^title = //p' "$doc/studies/$job.ini"). /"
		echo
	done
	printf '## Discoverable throughput at 45%% of the pages, random seeds (%%)\n\nThe throughput of the IECA paper; its Table II stands below.\n\n'
	markdown "$work/random/discoverable.tsv"
	cat "$here/results-paper.md"
	printf '\n## Strict throughput at 45%% of the pages, random seeds (%%)\n\nOf all hot pages, whether the seeds lead to them or not; the paper has no such figure.\n\n'
	markdown "$work/random/strict.tsv"
	printf '\n![Discoverable throughput on cs-stanford](results/random/curves-cs-stanford.svg)\n\n## Everything else\n\n'
	for report in "$doc"/results/*/report.md; do
		name=$(basename "$(dirname "$report")")
		printf '* [%s](results/%s/report.md)\n' "$(sed -n '1s/^# //p' "$report")" "$name"
	done
	cat "$here/results-threats.md"
} >"$work/results.md"
mv "$work/results.md" "$doc/results.md"
