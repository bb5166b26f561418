#!/bin/sh
# Each folder includes itself and the folders named here, no other; an include names its folder.
cd "$(dirname "$0")/.." || exit 1
bad=$(while read -r folder allowed; do
	find "$folder" -name '*.[ch]' | LC_ALL=C sort | xargs grep -n '^#include "[a-z]*/' /dev/null |
		while IFS= read -r line; do
			include=${line#*\"}
			case " $folder $allowed " in
			*" ${include%%/*} "*) ;;
			*) printf '%s\n' "$line" ;;
			esac
		done
done <<END
base
graph base
parser base
storage base
frontier base
seeds base graph
fetch base parser storage
traps base parser
scope base parser traps
policies base graph frontier
agents base parser frontier
refresh base frontier
crawler base graph parser storage frontier fetch traps scope policies agents refresh simweb
simweb base graph parser
lab base graph parser storage frontier seeds policies agents crawler simweb
cli base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler simweb lab
lib base graph parser storage frontier seeds policies crawler lab
END
)

# Each folder in crawler/ includes itself, the top of crawler/ and the folders named here; the top includes none of them.
inner=$(while read -r folder allowed; do
	case $folder in top) files=$(find crawler -maxdepth 1 -name '*.[ch]') ;; *) files=$(find "crawler/$folder" -name '*.[ch]') ;; esac
	# shellcheck disable=SC2086
	grep -n '^#include "crawler/[a-z]*/' /dev/null $files |
		while IFS= read -r line; do
			include=${line#*\"crawler/}
			case " $folder $allowed " in
			*" ${include%%/*} "*) ;;
			*) printf '%s\n' "$line" ;;
			esac
		done
done <<END
top
knowledge
network knowledge
replay knowledge
observers network
agent network observers
resume knowledge network observers agent
settings knowledge
revisit observers settings
live knowledge network observers agent resume settings revisit
monitor knowledge network observers resume live
END
)
echo 1..3
if [ -z "$bad" ]; then
	echo "ok 1 - every folder includes itself and lower floors only"
else
	echo "not ok 1 - every folder includes itself and lower floors only"
	echo "$bad" | sed 's/^/# /'
fi

# a file that no list names is missing from the tarball
missing=$(find base graph parser storage frontier seeds fetch traps scope policies agents refresh crawler simweb lab cli lib tests \
	\( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name README.md \) -print | while read -r file; do
	case $file in tests/faults/*) named=tests/faults ;; tests/*.c) named="${file%.c}(\\.c)?" ;; *) named=$file ;; esac
	grep -qE "(^|[^a-z_/])$named([^a-z_.]|$)" Makefile.am ./*/sources.mk || echo "$file"
done)
if [ -z "$missing" ]; then
	echo "ok 2 - every source file is named in a sources.mk or in Makefile.am"
else
	echo "not ok 2 - every source file is named in a sources.mk or in Makefile.am"
	echo "$missing" | sed 's/^/# /'
fi

if [ -z "$inner" ]; then
	echo "ok 3 - every folder of crawler includes itself, the top of crawler and the folders below it only"
else
	echo "not ok 3 - every folder of crawler includes itself, the top of crawler and the folders below it only"
	echo "$inner" | sed 's/^/# /'
fi
