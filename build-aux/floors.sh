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
echo 1..2
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
