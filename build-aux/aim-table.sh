#!/bin/sh
# Prints the tables of doc/policies/aim.md: DATA=FOLDER build-aux/aim-table.sh [LYCOSA]. Takes a minute or two. The second table has the
# paired difference of aim to the best of its four baselines, with half of the 95% interval over the draws: 2.365 is Student's t for
# eight of them.
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
				{
					sum[$1, $column["at"]] += $column["mass"]
					n[$1, $column["at"]]++
					mass[$1, $column["at"], $column["draw"]] = $column["mass"]
				}
				END {
					printf "| %s | %s", graph, target
					policies = split("aim qfirst qmax qmin qmean echo fica opic bfs omniscient", policy, " ")
					for (i = 1; i <= policies; i++) {
						printf " |"
						for (at = 0.05; at < 0.3; at *= 2)
							printf " %.2f", sum[policy[i], at] / n[policy[i], at]
					}
					print " |"
					row = sprintf("| %s | %s", graph, target)
					for (at = 0.05; at < 0.3; at *= 2) {
						best = 2
						for (i = 3; i <= 5; i++)
							if (sum[policy[i], at] > sum[policy[best], at]) best = i
						mean = (sum["aim", at] - sum[policy[best], at]) / 8
						square = 0
						for (draw = 1; draw <= 8; draw++)
							square += (mass["aim", at, draw] - mass[policy[best], at, draw] - mean) ^ 2
						row = row sprintf(" | %s %+.3f ±%.3f", policy[best], mean, 2.365 * sqrt(square / 7 / 8))
					}
					print row " |" >>differences
				}' differences="$work/differences"
	done
done
printf '\n| graph | target | at 5%% | at 10%% | at 20%% |\n|---|---|---|---|---|\n'
cat "$work/differences"
