#!/bin/sh
# Prints the two measured tables of doc/papers.md: DATA=FOLDER build-aux/papers-tables.sh [LYCOSA]. DATA has the data sets.
set -eu
lycosa=${1:-lycosa}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
graphs="cnr-2000/cnr-2000 uk-2007-05@100000/uk-2007-05@100000 cs-stanford/cs-stanford.txt.gz uic-2021/uic-2021.txt.gz
	uci-ics/uci-ics.txt.gz uci-ics-2016-full/uci-ics-2016-full.txt.gz hollins/hollins.dat walk-hosts-new/walk-hosts-new.txt.gz
	doc-sites/boost.txt.gz doc-sites/erlang.txt.gz doc-sites/qt.txt.gz doc-sites/scala.txt.gz small-webs/wikispeedia.txt.gz
	small-webs/ku-ppipee.txt.gz small-webs/news-usc.txt.gz"

# name GRAPH: its name in the tables
name() {
	basename "$1" | sed 's/\.[td].*//'
}

echo '| graph | pages | links | links between hosts | share |'
echo '|---|---|---|---|---|'
for graph in $graphs; do
	urls=${DATA:?the folder of the data sets}/${graph%.txt.gz}.urls.gz
	[ -r "$urls" ] || continue
	"$lycosa" graph prune --graph "$DATA/$graph" --within host -q "$work/pruned.txt" >/dev/null 2>&1
	for file in "$DATA/$graph" "$work/pruned.txt"; do
		"$lycosa" graph info --graph "$file" -q | awk -F '\t' '$1 == "nodes" || $1 == "arcs" { print $2 }'
	done | paste -s -d ' ' | awk -v name="$(name "$graph")" '{ printf "| %s | %d | %d | %d | %.1f%% |\n", name, $1, $2, $4, 100 * $4 / $2 }'
done

printf '\n| graph | in the computation at 52%%: ieca | batch-pagerank | key updates and heap moves of ieca, a link | of log2 V | links ranked by batch-pagerank, a link |\n'
echo '|---|---|---|---|---|---|'
for graph in $graphs; do
	"$lycosa" compare --graph "$DATA/$graph" --seeds random:0.001 --draws 3 --policies ieca,batch-pagerank --out "$work/out" -q \
		--progress=none >/dev/null 2>&1
	awk -F '\t' -v name="$(name "$graph")" '
		FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		FILENAME ~ /parts/ && $column["at"] == 0.52 { part[$column["policy"]] = $column["taking_part"] }
		FILENAME ~ /work.tsv/ {
			moves[$1] = ($column["key_updates"] + $column["heap_moves"]) / $column["links"]
			bound[$1] = $column["e_log_v"] / $column["links"]
			ranked[$1] = $column["ranked_links"] / $column["links"]
		}
		END {
			for (policy in moves)
				part[policy] = part[policy] == "" ? "–" : sprintf("%.1f%%", 100 * part[policy])
			printf "| %s | %s | %s | %.2f | %.1f | %.0f |\n", name, part["ieca"], part["batch-pagerank"], moves["ieca"], bound["ieca"],
				ranked["batch-pagerank"]
		}' "$work"/out/parts*.tsv "$work"/out/work.tsv
	rm -rf "$work/out"
done
