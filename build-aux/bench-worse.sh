#!/bin/sh
# The rows of doc/benchmarks.tsv whose ratio to the peer is worse than it was at a commit.
#
#   bench-worse.sh COMMIT [PERCENT]      prints what, the ratio then, the ratio now, and how much worse it is; 15 percent or more
#
# The ratios are compared, and not the figures, since the machine may have been slower. A row that is gone is named too.
# Exit status: 0 if no row is worse, 1 if some are.
set -eu
commit=$1 percent=${2:-15}
here=$(cd "$(dirname "$0")" && pwd)
old=$(mktemp)
trap 'rm -f "$old"' EXIT
git -C "$here/.." show "$commit:doc/benchmarks.tsv" >"$old"
awk -F '\t' -v percent="$percent" '
	/^#/ || $5 == "-" { next }
	{ row = $1 " | " $2 " | " $5; sub(/: [0-9]+ places/, ": so many places", row) }
	NR == FNR { before[row] = $4 / $6; next }
	{ now = $4 / $6; seen[row] = 1 }
	row in before && now > before[row] * (1 + percent / 100) {
		printf "%s\t%.3g\t%.3g\t+%.0f%%\n", row, before[row], now, (now / before[row] - 1) * 100
		worse = 1
	}
	END {
		for (row in before)
			if (!(row in seen)) {
				printf "%s\t%.3g\tno such row any more\n", row, before[row]
				worse = 1
			}
		exit worse
	}' "$old" "$here/../doc/benchmarks.tsv"
