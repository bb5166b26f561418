#!/bin/sh
# liblycosa as others meet it: installed into a folder of its own, found by pkg-config, linked shared and
# static by the programs of doc/examples, whose output is that of the command line.
. "$(dirname "$0")/../tap.sh"
[ -f "$build/liblycosa.so" ] || skip_all "configured without the library"
needs nm pkg-config make
plan 16

# --- what the files show
tr -d '\n' <"$top/lib/lycosa.h" | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/| |g' | grep -o 'lycosa_[a-z_]*(' | tr -d '(' | LC_ALL=C sort -u >declared
sed -n 's/^	\(lycosa_[a-z_]*\);$/\1/p' "$top/lib/lycosa.map" | LC_ALL=C sort >mapped
nm -D --defined-only "$build/liblycosa.so" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	grep -v -e '^__[alut]*san' -e '^_*gcov' -e '^mangle_path$' | LC_ALL=C sort >shared
nm -g --defined-only "$build/liblycosa.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >static
[ "$(wc -l <declared)" -gt 50 ] && diff declared mapped >problem && diff declared shared >>problem && diff declared static >>problem
result $? "header, version script, shared and static library have the same functions and no other name"
nm -D --with-symbol-versions "$build/liblycosa.so" | grep ' T lycosa_' | grep -v '@@LYCOSA_0$' >problem
verdict "every function has a version"
nm -u "$build/liblycosa.a" | grep -w -e exit -e _exit -e _Exit -e quick_exit -e printf -e puts -e stdout >problem
verdict "nothing in it ends the process by itself or writes to stdout"

# --- installed
dest=$work/root
(unset MAKEFLAGS MFLAGS MAKELEVEL; make -s -C "$build" install DESTDIR="$dest") >installing 2>&1 || cp installing problem
pc=$(cd "$dest" 2>/dev/null && find . -name lycosa.pc)
[ -n "$pc" ] || bail=1
PKG_CONFIG_PATH=$dest/${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$dest
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
libdir=$dest$(PKG_CONFIG_SYSROOT_DIR= pkg-config --variable=libdir lycosa)
[ -L "$libdir/liblycosa.so" ] && [ -L "$libdir/liblycosa.so.0" ] && [ -f "$libdir/liblycosa.a" ] &&
	[ -f "$dest$(PKG_CONFIG_SYSROOT_DIR= pkg-config --variable=includedir lycosa)/lycosa.h" ]
result $? "make install puts library, header and lycosa.pc into DESTDIR"
link=${TEST_LINK:-cc -O2}
cc=${TEST_CC:-cc}
echo '#include <lycosa.h>' >header.c
$cc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror $(pkg-config --cflags lycosa) -c header.c 2>problem &&
	{ ! command -v g++ >/dev/null || g++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags lycosa) -c header.c 2>problem; }
result $? "the header compiles by itself, as C11 and as C++"
sed -n '/^```c mine.c$/,/^```$/p' "$top/doc/policy.md" | sed '1d;$d' >mine.c
$cc -std=gnu11 -Wall -Wextra -Werror -shared -fPIC $(pkg-config --cflags lycosa) -o mine.so mine.c 2>problem
result $? "a policy in a file of its own compiles against the installed headers alone"
mkdir shared-bin static-bin
for source in "$top"/doc/examples/*.c; do
	name=$(basename "$source" .c)
	# shellcheck disable=SC2046,SC2086 # flags are words
	eval "$link" -o "shared-bin/$name" "'$source'" $(pkg-config --cflags --libs lycosa) >>problem 2>&1
	eval "$link" -o "static-bin/$name" "'$source'" $(pkg-config --cflags --static --libs lycosa | sed 's/-llycosa/-l:liblycosa.a/') >>problem 2>&1
done
verdict "pkg-config compiles the examples, shared and static, without a warning"
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH
: >problem
for source in "$top"/doc/examples/*.c; do
	name=$(basename "$source" .c)
	ldd "shared-bin/$name" | grep -q 'liblycosa.so.0 => /' || echo "$name does not use the shared library" >>problem
	! ldd "static-bin/$name" | grep liblycosa >>problem
done
verdict "a program linked statically needs no liblycosa at run time"

# both MADE COMMAND...: the example, linked in either way, prints what MADE has
both() {
	made=$1
	shift
	shared-bin/"$@" >out-shared 2>>problem && static-bin/"$@" >out-static 2>>problem &&
		diff "$made" out-shared >>problem && diff out-shared out-static >>problem
}

# --- what the examples print is what the command line prints
"$lycosa" graph generate --nodes 2000 --arcs-per-node 9 --rng-seed 3 --write-urls web.urls --to edges web.txt
"$lycosa" rank web.txt --by pagerank --top 10 | grep -v '^#' | awk -F '\t' 'NR > 1 { printf "%s\t%.6f\t%s\n", $1, $2, $3 }' >wanted
shared-bin/rank web.txt >out 2>problem
awk -F '\t' 'NF == 5 { print $1 "\t" $2 "\t" $5 }' out >got
info=$("$lycosa" graph info --graph web.txt)
components=$(echo "$info" | sed -n 's/^scc[a-z_]*	\([0-9]*\).*/\1/p' | head -n 1)
diff wanted got >problem && head -n 1 out | grep -q '^2000 nodes, [0-9]* arcs, read as edges$' && both out rank web.txt
result $? "rank: PageRank and URLs are those of 'lycosa rank'"
"$lycosa" graph convert --graph web.txt --to bvgraph web
for u in 1999 0 7; do
	awk -v u=$u '$1 == u { row = row " " $2 } END { print u ":" row }' web.txt
done >wanted
both wanted rows web 1999 0 7
result $? "rows: rows in any order are those of the text"
"$lycosa" replay --graph web.txt --seeds random:3 --rng-seed 7 --policy opic --order order >table 2>problem
shared-bin/replay web.txt opic >out 2>>problem
head -n 10 order | tr '\n' ' ' | sed 's/^/ /;s/ $/\n/' >wanted
head -n 1 out | sed 's/.*://' >got
auc=$(awk -F '\t' '/^opic/ && $8 != "" { printf "%.4f", $8 }' table)
diff wanted got >>problem && grep -q "^area under the curve: $auc\$" out && both out replay web.txt opic
result $? "replay: order and area are those of 'lycosa replay'"
"$lycosa" compare --graph web.txt --seeds random:3 --policies bfs,ieca --draws 5 --at 0.3 2>problem | awk -F '\t' '
	/^(bfs|ieca)\t[0-9]/ { printf "%s\tdraw %s\tat 30%%: %.3f\tarea %.4f\n", $1, $2, $5, $8 }' >wanted
[ "$(wc -l <wanted)" = 10 ] && both wanted compare web.txt bfs ieca
result $? "compare: every crawl is that of 'lycosa compare'"
printf '<base href=/b/><a href="x?utm_source=1&amp;q=2">1</a><a rel=nofollow href=//O.test/index.html>2</a><iframe src=f></iframe>' >page.html
cat >wanted <<'END'
base http://a.test/b/, charset windows-1252
http://a.test/b/x?q=2	a
http://o.test/	a nofollow
http://a.test/b/f	frame
END
shared-bin/links http://a.test/ <page.html >out 2>problem
diff wanted out >>problem && static-bin/links http://a.test/ <page.html | diff wanted - >>problem
result $? "links: a page's links, resolved and normalised"
printf 'User-agent: lycosa\nDisallow: /private\nAllow: /private/ok\nCrawl-delay: 2\nSitemap: http://a.test/map.xml\n' >robots.txt
cat >wanted <<'END'
delay 2 s
sitemap http://a.test/map.xml
http://a.test/	allow
/private/x	deny
http://a.test/private/ok	allow
ftp://a.test/	'ftp://a.test/' is no http or https URL
END
shared-bin/robots lycosa http://a.test/ /private/x http://a.test/private/ok ftp://a.test/ <robots.txt >out 2>problem
diff wanted out >>problem && static-bin/robots lycosa http://a.test/ /private/x http://a.test/private/ok ftp://a.test/ <robots.txt | diff wanted - >>problem
result $? "robots: what an agent may fetch"
serve --graph web.txt
"$lycosa" crawl "$(sed -n 780p web.urls)" --store s -H --connect-to "::127.0.0.1:$port" --delay 0 --max-pages 50 -q >/dev/null 2>problem
"$lycosa" store dump --store s | awk -F '\t' 'NF == 3 { print $1 }' | LC_ALL=C sort >wanted
shared-bin/store s >out 2>>problem
awk -F '\t' '$2 == "crawled" && $3 == 200 { print $1 }' out | LC_ALL=C sort >got
[ "$(wc -l <got)" = 50 ] && diff wanted got >>problem && grep -q '	queued	0	0$' out && both out store s
result $? "store: the pages of a crawl, and what became of them"

: >problem
# fails TEXT EXAMPLE...: one line with that text, and status 1
fails() {
	text=$1
	shift
	shared-bin/"$@" >out 2>errors && echo "$* succeeded" >>problem
	[ "$(wc -l <errors)" = 1 ] && grep -q "$text" errors || { echo "$*, not '$text':"; cat errors; } >>problem
}
fails 'no-such-graph' rank no-such-graph
fails 'there is no node 2000 among 2000' rows web 2000
fails "there is no policy 'opc'; the nearest is 'opic'" replay web.txt opc
fails 'no-such-store' store no-such-store
verdict "an error is one line that says what is wrong"
