#!/bin/sh
# A crawl writes its own files and no others: a policy that tries is refused by the kernel.
. "$(dirname "$0")/../tap.sh"
cc=${TEST_CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all "no compiler"
cat >bold.c <<'EOF'
#include "frontier/policy.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Tells its own folder's file what came of writing elsewhere. */
static void bold_crawled(const struct policy_call *c, uint32_t u, size_t outdegree,
	const uint32_t *queued, size_t n)
{
	(void)c, (void)u, (void)outdegree, (void)queued, (void)n;
	const int fd = open(getenv("ELSEWHERE"), O_WRONLY | O_CREAT, 0600);
	if (fd < 0)
		fprintf(stderr, "denied: %d\n", errno == EACCES);
	else
		close(fd);
}

static const struct policy bold = {.name = "bold", .summary = "writes", .source = "a test",
	.order = POLICY_LOWEST_FIRST, .crawled = bold_crawled};

const struct policy_module lycosa_policy = {POLICY_ABI, sizeof(struct policy), &bold};
EOF
"$lycosa" graph generate --nodes 40 --write-urls web.urls web.txt
serve --graph web.txt
mkdir out
ELSEWHERE=$work/elsewhere
export ELSEWHERE

# crawl STORE FLAG...
crawl() {
	store=$1
	shift
	"$lycosa" crawl "$(head -n 1 web.urls)" --store "$store" -H --connect-to "::127.0.0.1:$port" --delay 0 \
		--progress none -v "$@" >summary 2>errors
}

crawl one
! grep -q 'no Landlock' errors || skip_all "this kernel has no Landlock"
plan 9
[ -s one/data.mdb ] && grep -q 'written in these folders only: one$' errors && grep -q 'it is forbidden to read other files' errors
result $? "-v tells where a crawl may write, and what else it may not"

crawl two --warc out/archive --log out/log --order out/order --rejected out/rejected &&
	[ -s out/log ] && [ -s out/order ] && [ -e out/rejected ] && ls out/archive-*.warc.gz >/dev/null
result $? "its archive, log and lists are written all the same"
crawl three --previous one && "$lycosa" store verify --store three >problem 2>&1
result $? "and it compares with an earlier crawl"
crawl all --previous one --mirror out/mirror --warc out/all --log out/all.log --order out/all.order --rejected out/all.rejected \
	--seeds-out out/all.seeds && grep -q "only: all, one, out/mirror\(, $work/out/\)\{5\}\$" errors && [ -s out/all.order ] &&
	[ -s out/all.seeds ] && [ -d out/mirror ]
result $? "and has every output at once"

# as resolv.conf is on some systems, whose links lead to a folder that a sandbox does not know
name="names are looked up where a file of /etc is a link to another place"
if may_mount; then
	mkdir etc
	cp /etc/nsswitch.conf /etc/ld.so.cache etc/ 2>/dev/null
	echo "127.0.0.1 named.test" >hosts
	ln -s "$work/hosts" etc/hosts
	$unshare sh -c 'mount --bind etc /etc && exec "$@"' sh "$lycosa" crawl "http://named.test:$port/" --store linked --allow-private \
		--delay 0 --tries 1 --progress none >summary 2>errors
	cat summary errors >problem
	! grep -q '^failed_dns' summary && grep -q '^seen	1$' summary
	result $? "$name"
else
	skip "$name" "$no_mounts"
fi

$cc -std=gnu11 -shared -fPIC "-I$top" -o bold.so bold.c 2>problem
crawl four --policy ./bold.so && grep -q 'denied: 1' errors && [ ! -e elsewhere ]
result $? "a write elsewhere is denied"
crawl five --policy ./bold.so --no-sandbox && ! grep -q denied errors && [ -e elsewhere ]
result $? "but for --no-sandbox"

# A defect in the reader of pages: what looks for a script in them dies of one page.
cat >defect.c <<'EOF'
#include <string.h>

void *memmem(const void *text, size_t n, const void *what, size_t m)
{
	static volatile char *volatile nowhere;
	const char *at = text, *found = 0;

	for (size_t i = 0; i + m <= n; i++)
		found = found || memcmp(at + i, what, m) ? found : at + i;
	for (size_t i = 0; i + 6 <= n; i++)
		if (memcmp(at + i, "deadly", 6) == 0)
			*nowhere = 1;
	return (void *)found;
}
EOF
mkdir site
for i in 1 2 3 4 5 6 7 8; do
	echo "<a href=$((i % 8 + 1)).html>on</a> <a href=4.html>$([ $i != 4 ] || echo deadly)</a>" >site/$i.html
	echo "$i.html	http://site.test/$i.html" >>site/index.tsv
done
if grep -q -e __asan_init -e __tsan_init "$lycosa"; then
	skip "a page that its reader dies of costs that page alone" "a sanitizer must be the first library"
else
	$cc -shared -fPIC -o defect.so defect.c 2>problem
	graph_port=$port
	serve --pages site
	LD_PRELOAD=$work/defect.so "$lycosa" crawl http://site.test/1.html http://site.test/5.html --store seven -H \
		--connect-to "::127.0.0.1:$port" --delay 0 --progress none >summary 2>errors
	cat summary errors >>problem
	grep -q '^crawled	7$' summary && grep -q '^failed_parser	1$' summary &&
		[ "$(grep -c 'that read http://site.test/4.html was ended' errors)" = 1 ] && "$lycosa" store verify --store seven >>problem 2>&1
	result $? "a page that its reader dies of costs that page alone"
	port=$graph_port
fi

if grep -q -e __tsan_init "$lycosa"; then
	skip "each thread of a crawl is confined, that of --metrics included" "the sanitizer has a thread of its own"
	exit
fi
background "$lycosa" crawl "$(head -n 1 web.urls)" --store six -H --connect-to "::127.0.0.1:$port" --delay 300ms --metrics 0 \
	--progress none -v >/dev/null 2>six.err
crawler=$!
wait_for six.err ': crawled' || echo "the crawl has not begun" >problem
threads=0
for task in /proc/$crawler/task/*; do
	threads=$((threads + 1))
	grep -q '^NoNewPrivs:	1$' "$task/status" || echo "thread $(cat "$task/comm") is not confined" >>problem
done
# the coordinator, a fetcher, and the server of the metrics
[ $threads -ge 3 ] || echo "$threads threads" >>problem
kill $crawler
wait $crawler 2>/dev/null
verdict "each thread of a crawl is confined, that of --metrics included"
