#!/bin/sh
# The Python module: the blocks of doc/python.md in their order (tests/lib/python_page.py), what the page does not
# show (tests/lib/python_module.py), and the module as `make install` leaves it.
. "$(dirname "$0")/../tap.sh"
[ -f "$build/liblycosa.so" ] || skip_all "configured without the library"
grep -q -e '__[alt]san_init' -e __ubsan_ "$build/liblycosa.so" && skip_all "python3 is not built with this sanitizer"
needs bash make
# numpy may be there for another python3 than the one that comes first
python=
for try in ${TEST_PYTHON:-} python3 /usr/bin/python3; do
	[ -z "$python" ] && "$try" -c 'import sys, numpy; assert sys.version_info >= (3, 8)' 2>/dev/null && python=$try
done
[ -n "$python" ] || skip_all "no python3 with numpy (Debian: python3-numpy)"
plan 5
PATH=$build:$PATH
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$top/lib/python
LYCOSA_LIBRARY=$build/liblycosa.so
export PATH PYTHONDONTWRITEBYTECODE PYTHONPATH LYCOSA_LIBRARY

# tap NAME COMMAND...: a program that prints TAP is one test here
tap() {
	name=$1
	shift
	"$@" >tap.out 2>problem
	ended=$?
	planned=$(sed -n 's/^1\.\.//p' tap.out)
	[ $ended = 0 ] && [ -n "$planned" ] && [ "$(grep -c '^ok' tap.out)" = "$planned" ]
	good=$?
	[ $good = 0 ] || sed -n '/^not ok/,/^[on]/p' tap.out >>problem
	result $good "$name ($planned)"
}

tap "the blocks of doc/python.md" "$python" "$top/tests/lib/python_page.py" "$top/doc/python.md"
lycosa graph convert --graph web.txt --to bvgraph web 2>problem
tap "lifetimes, errors and threads" "$python" "$top/tests/lib/python_module.py"
"$python" -m lycosa web.txt >out 2>problem && [ "$(sed -n 2p out)" = "1716	0.00750388	http://h62.test/0" ]
result $? "python3 -m lycosa GRAPH shows its best pages"
"$python" -m lycosa no-such-graph >out 2>errors
[ $? = 3 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "^lycosa: cannot open 'no-such-graph'" errors
result $? "and says in a line what is wrong"

# --- installed
name="make install puts the module where it finds its library"
if grep -q '^PYTHON = [^:]' "$build/Makefile"; then
	(unset MAKEFLAGS MFLAGS MAKELEVEL; make -s -C "$build" install prefix="$work/root" pythondir="$work/root/python") >problem 2>&1
	unset LYCOSA_LIBRARY
	PYTHONPATH=$work/root/python "$python" -m lycosa >out 2>>problem &&
		[ "$(head -n 1 out | cut -d ' ' -f 3)" = "$work/root/lib/liblycosa.so.0" ]
	result $? "$name"
else
	skip "$name" "configured without the Python module"
fi
