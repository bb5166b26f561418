#!/bin/sh
# Prints the table of doc/policies/aim.md: DATA=FOLDER build-aux/aim-table.sh [LYCOSA]. Takes a minute or two.
set -e
lycosa=${1:-lycosa}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '| graph | target | aim | qfirst | qmax | qmin | qmean | echo | fica | opic | bfs | omniscient |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|'
for name in cs-stanford uci-ics uic-2021 walk-hosts-new; do
	graph=${DATA:?the folder of the data sets}/$name/$name.txt.gz
	python3 "$here/aim-targets.py" "$graph" "$work/topic" "$work/walks"
	"$lycosa" rank --graph "$graph" --by pagerank --all -q | grep '^[0-9]' | cut -f 1,2 >"$work/PageRank"
	for target in topic walks PageRank; do
		"$lycosa" compare --graph "$graph" --seeds random:0.002 --draws 8 --target "$work/$target" -q --progress=none \
			--policies aim,qfirst,qmax,qmin,qmean,echo,fica,opic,bfs,omniscient --at 0.05,0.1,0.2 |
			awk -F '\t' -v graph="$name" -v target=$target '
				$1 == "policy" { for (i = 1; i <= NF; i++) column[$i] = i; next }
				/^#/ || NF < column["at"] { next }
				{ sum[$1, $column["at"]] += $column["mass"]; n[$1, $column["at"]]++ }
				END {
					printf "| %s | %s", graph, target
					policies = split("aim qfirst qmax qmin qmean echo fica opic bfs omniscient", policy, " ")
					for (i = 1; i <= policies; i++) {
						printf " |"
						for (at = 0.05; at < 0.3; at *= 2)
							printf " %.2f", sum[policy[i], at] / n[policy[i], at]
					}
					print " |"
				}'
	done
done
