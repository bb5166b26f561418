# tests/mutate, on a room of one file with a test that looks at half of it.
. "$(dirname "$0")/../tap.sh"
needs python3 make
plan 7

mkdir -p tree/room tree/tests tree/build
cat >tree/room/pick.h <<'EOF'
int smaller(int a, int b);
int beyond(int a);
int count_down(int n);
EOF
cat >tree/room/pick.c <<'EOF'
#include "room/pick.h"
#include <assert.h>
#define LEAST(a, b) ((a) < (b) ? (a) : (b)) /* 1 < 2 */
struct kept { unsigned small : 3; };
static char const name[] = "a < b";
int smaller(int a, int b)
{
	char room[30]; /* a + b */
	assert(name[0] == 'a' && sizeof room);
	// a - b
	return LEAST(a, b) + 0;
}
int beyond(int a)
{
	if (a > 7)
		return 1;
	return 0;
}
int count_down(int n)
{
	while (n > 0)
		n -= 1;
	return n;
}
EOF
cat >tree/tests/test_other.c <<'EOF'
#include "room/pick.h"
int main(void)
{
	return count_down(3);
}
EOF
cat >tree/tests/test_pick.c <<'EOF'
#include "room/pick.h"
int main(void)
{
	return smaller(2, 1) != 1 || smaller(1, 2) != 1;
}
EOF
cat >tree/build/Makefile <<EOF
srcdir = ..
VPATH = ..
COMPILE = ${TEST_CC:-cc} -O2 -I..
CCLD = ${TEST_CC:-cc}
unit_tests = tests/test_other tests/test_pick
tests_test_other_OBJECTS = tests/test_other.o
tests_test_pick_OBJECTS = tests/test_pick.o
LDADD = libroom.a
tests/test_other tests/test_pick: %: %.o libroom.a
	\$(CCLD) -o \$@ \$^
%.o: %.c
	@mkdir -p tests room
	\$(COMPILE) -c -o \$@ \$<
libroom.a: room/pick.o
	ar rc \$@ \$^
EOF
hunt() { "$top/tests/mutate" --build tree/build --jobs 2 --limit 1 room "$@" >hunted 2>&1; }

hunt --list && cut -d: -f 2 hunted | sort -nu | tr '\n' ' ' >lines && echo "11 15 16 17 21 22 23 " | tr -d '\n' | cmp lines - >problem ||
	cat hunted >>problem
verdict "comments, strings, macros, assertions, structs and the lengths of arrays are left alone"

hunt --verbose || cp hunted problem
grep -q '^room/pick.c:11: in smaller: .* => return 0; \[tests/test_pick failed\]$' hunted &&
	grep -q '^room/pick.c:21: in count_down: .* \[tests/test_other ' hunted || cp hunted problem
verdict "a test of the file's name kills a mutation, and so does one that includes its header"
for change in 'if (a > 7) => if (a >= 7)' 'if (a > 7) => if (a > 8)' 'if (a > 7) => if (!(a > 7))' 'return 1; => return 0;'; do
	grep -Fqx "room/pick.c:${change%% *}" hunted || grep -F ": in beyond: $change" hunted | grep -qv '\]$' || echo "$change" >>problem
done
! grep 'in smaller.*[^]]$' hunted >>problem || cat hunted >>problem
verdict "each mutation of what no test looks at is reported, and none of what one looks at"
grep -q '(!(n > 0)).*late\]$\|n += 1.*late\]$\|(!(n > 0)).*failed\]$' hunted || cp hunted problem
verdict "a loop that does not end is killed"

cat >tree/tests/mutate.equivalent <<'EOF'
# what was looked at

room/pick.c beyond
- if (a > 7)
+ if (a > 8)
- if (a > 7)
+ if (a >= 7)
nobody has seven
EOF
hunt && ! grep -F 'if (a >' hunted | grep -q 'a > 8\|a >= 7' && grep -q 'in beyond' hunted || cp hunted problem
sed -i 's/^+ if (a > 8)/+ if (a > 9)/' tree/tests/mutate.equivalent
hunt && echo "an entry that fits nothing is let pass" >problem
grep -q 'nothing in room/pick.c beyond is: if (a > 7) => if (a > 9)' hunted || cat hunted >>problem
rm tree/tests/mutate.equivalent
verdict "an entry of mutate.equivalent takes a mutation out, and is reported where it fits none"

hunt --list --sample 4 --seed 5 && cp hunted first && hunt --list --sample 4 --seed 5 && cmp first hunted >problem &&
	[ "$(wc -l <first)" = 4 ] && hunt --list --sample 4 --seed 6 && ! cmp -s first hunted || cat first hunted >>problem
verdict "a seed draws the same sample again, and another one another"
(cd tree && find . -type f | LC_ALL=C sort) >files
printf './%s\n' build/Makefile build/libroom.a build/room/pick.o build/tests/test_other build/tests/test_other.o \
	build/tests/test_pick build/tests/test_pick.o room/pick.c room/pick.h tests/test_other.c tests/test_pick.c | diff - files >problem
verdict "the sources and the build are as they were"
