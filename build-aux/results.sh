#!/bin/sh
# Writes doc/results.md to stdout: what the policies and the seed methods are worth on real graphs.
#
#   LYCOSA=build/lycosa build-aux/results.sh [DATA] >doc/results.md
#
# DATA is the folder of the data sets (default: ../shared/data beside the source tree); what is not
# there is left out and named. `make results` runs it. Nothing in the document depends on the machine
# but the time that it took, which is not in it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${1:-${DATA:-$here/../../shared/data}}
lycosa=${LYCOSA:-$here/../build/lycosa}
[ -x "$lycosa" ] || { echo "results.sh: no lycosa at '$lycosa': build it, or say LYCOSA=..." >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export LYCOSA="$lycosa" WORK="$work"

sh "$here/results-graphs.sh" "$data"
cat <<'EOF'
# Results

This file is written by `make results`; do not edit it. Every table and every sentence between the tables is computed from
the runs of that script; what a person made of them stands in sections of its own, *What this shows*.

EOF
sh "$here/results-policies.sh"
cat "$here/results-notes.md"
if [ -f "$here/results-seeds.sh" ]; then
	echo
	sh "$here/results-seeds.sh" "$data"
fi
