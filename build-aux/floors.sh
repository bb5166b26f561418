#!/bin/sh
# Each folder includes itself and the folders named here, no other.
cd "$(dirname "$0")/.." || exit 1
bad=$(while read -r folder allowed; do
	for include in $(cat "$folder"/*.[ch] | sed -n 's|^#include "\([a-z]*\)/.*|\1|p' | sort -u); do
		case " $folder $allowed " in
		*" $include "*) ;;
		*) grep -n "^#include \"$include/" "$folder"/*.[ch] ;;
		esac
	done
done <<END
base
graph base
parser base
storage base
frontier base
seeds base graph
policies base graph frontier
crawler base graph parser storage frontier policies
simweb base graph parser
lab base graph parser storage frontier seeds policies crawler
cli base graph parser storage frontier seeds policies crawler simweb lab
END
)
echo 1..1
if [ -z "$bad" ]; then
	echo "ok 1 - every folder includes itself and lower floors only"
else
	echo "not ok 1 - every folder includes itself and lower floors only"
	echo "$bad" | sed 's/^/# /'
fi
