#!/bin/sh
# The Python module: the blocks of doc/python.md in their order (tests/lib/python_page.py), what the page does not
# show (tests/lib/python_module.py), and the module as `make install` leaves it.
. "$(dirname "$0")/../tap.sh"
[ -f "$build/liblycosa.so" ] || skip_all "configured without the library"
# The interpreter of a build with sanitizers loads the runtime of them first: the one that the library names.
watcher=$(grep -ao 'libasan\.so\.[0-9]*' "$build/liblycosa.so" | head -n 1)
if [ -n "$watcher" ]; then
	watcher=$(${TEST_CC:-cc} -print-file-name=libasan.so)
	case $watcher in /*) ;; *) skip_all "the compiler has no libasan.so to load into python3" ;; esac
	beside=$(${TEST_CC:-cc} -print-file-name=libubsan.so)
	case $beside in /*) watcher=$watcher:$beside ;; esac
elif grep -q -e '__[alt]san_init' -e __ubsan_ "$build/liblycosa.so"; then
	skip_all "python3 is not built with this sanitizer"
fi
needs bash make
# numpy may be there for another python3 than the one that comes first
interpreter=
for try in ${TEST_PYTHON:-} python3 /usr/bin/python3; do
	[ -z "$interpreter" ] && "$try" -c 'import sys, numpy; assert sys.version_info >= (3, 8)' 2>/dev/null && interpreter=$try
done
[ -n "$interpreter" ] || skip_all "no python3 with numpy (Debian: python3-numpy)"
plan 6
PATH=$build:$PATH
PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$top/lib/python
LYCOSA_LIBRARY=$build/liblycosa.so
export PATH PYTHONDONTWRITEBYTECODE PYTHONPATH LYCOSA_LIBRARY

# what the interpreter itself keeps until its end is no leak, and its own blocks of memory are no place to hide
python() {
	if [ -n "$watcher" ]; then
		ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 PYTHONMALLOC=malloc LD_PRELOAD=$watcher "$interpreter" "$@"
	else
		"$interpreter" "$@"
	fi
}

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

tap "the blocks of doc/python.md" python "$top/tests/lib/python_page.py" "$top/doc/python.md"
lycosa graph convert --graph web.txt --to bvgraph web 2>problem
tap "lifetimes, errors and threads" python "$top/tests/lib/python_module.py"
python -m lycosa web.txt >out 2>problem && [ "$(sed -n 2p out)" = "1716	0.00750388	http://h62.test/0" ]
result $? "python3 -m lycosa GRAPH shows its best pages"
python -m lycosa no-such-graph >out 2>errors
[ $? = 3 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "^lycosa: cannot open 'no-such-graph'" errors
result $? "and says in a line what is wrong"

name="a sanitizer sees in the interpreter what the library does wrong"
if [ -n "$watcher" ]; then
	cat >beyond.py <<'EOF'
import ctypes
from lycosa import _native as native

arcs = ctypes.create_string_buffer(4 * 64)
graph = ctypes.c_void_p()
native.library.lycosa_graph_from_arcs(ctypes.byref(graph), 3, arcs, arcs, ctypes.c_uint64(65), None)
EOF
	(ASAN_OPTIONS=log_path=$work/report:exitcode=99 python beyond.py >problem 2>&1)
	[ $? = 99 ] && cat report* >>problem && grep -q 'AddressSanitizer: .*overflow' problem
	result $? "$name"
else
	skip "$name" "configured without sanitizers"
fi

# --- installed
name="make install puts the module where it finds its library"
if grep -q '^PYTHON = [^:]' "$build/Makefile"; then
	(unset MAKEFLAGS MFLAGS MAKELEVEL; make -s -C "$build" install prefix="$work/root" pythondir="$work/root/python") >problem 2>&1
	unset LYCOSA_LIBRARY
	PYTHONPATH=$work/root/python python -m lycosa >out 2>>problem &&
		[ "$(head -n 1 out | cut -d ' ' -f 3)" = "$work/root/lib/liblycosa.so.0" ]
	result $? "$name"
else
	skip "$name" "configured without the Python module"
fi
