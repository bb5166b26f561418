#!/bin/sh
# What a crawl can be told, from outside: what is refused before anything is made, what the store
# keeps, and an earlier crawl to compare with.
. "$(dirname "$0")/../tap.sh"
plan 9

# refused STATUS PATTERN FLAG...: no store is made, and the secret not told
refused() {
	wanted=$1
	pattern=$2
	shift 2
	"$lycosa" crawl --store none "$@" http://127.0.0.1:9/ >results 2>errors
	got=$?
	[ $got -eq "$wanted" ] && grep -q -- "$pattern" errors && ! grep -q SECRET errors &&
		[ ! -e none ] && return 0
	{ echo "status $got: $*"; cat errors; } >>problem
	return 1
}

echo "http://a.test basic SECRET" >auth
printf 'a.test\tFALSE\t/\tFALSE\t0\tSECRET\n' >cookies
refused 2 "'indexes'" --normalise query,indexes
refused 2 "meta-robots" --heed meta-robot
refused 2 "from 1K to 256K" --max-headers 1
refused 2 "more than 0" --read-timeout 0
refused 2 "1G" --max-filesize 2G
refused 2 "max-redirect" --max-redirect 16
refused 2 "from 1 to 100" --tries 101
refused 2 "from 1 to 100" --tries 0
refused 3 "nowhere" --previous nowhere
refused 2 "goes through a proxy that is not on this machine: say with --contact" --proxy http://me:SECRET@192.0.2.1:8080
refused 3 "auth:1:" --auth auth
refused 3 "cookies:1:" --load-cookies cookies
refused 3 "nowhere" --auth nowhere
[ ! -s problem ]
result $? "what cannot be is refused before there is a store"

"$lycosa" graph generate --nodes 80 web.txt >made 2>problem && serve --graph web.txt --faults gzip=0.5,seed=3
result $? "a fake web"
site=http://127.0.0.1:$port
crawl() { "$lycosa" crawl --delay 0 "$@"; }
count() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }

crawl --store first --normalise tracking,query "$site/0?utm_source=x" >out 2>problem &&
	"$lycosa" store dump --store first | cut -f 1 | grep -qx "$site/0"
result $? "seeds pass the rules"
crawl --store first >out 2>problem && crawl --store first --normalise tracking,query >out 2>problem
result $? "the store keeps them"
crawl --store first --normalise query >out 2>problem
[ $? -eq 2 ] && grep -q -e '--normalise tracking,query, not query' problem
result $? "others are refused, and both named"

crawl --store second --previous first "$site/0" >out 2>problem &&
	"$lycosa" store dump --store first | sed 's/	200	/	304	/' >was &&
	"$lycosa" store dump --store second >is && cmp was is >problem &&
	[ "$(count crawled out)" -gt 10 ] && "$lycosa" store verify --store second >problem 2>&1
result $? "a web that has not changed is what it was"
crawl --store limited "$site/0" --max-pages 0 --max-per-host 0 --max-per-domain 0 --max-time 0 --max-bytes 0 \
	>out 2>problem && crawl --store free "$site/0" >/dev/null 2>>problem &&
	[ "$(count end out)" = done ] && [ "$(count crawled out)" -gt 10 ] &&
	"$lycosa" store dump --store limited >is && "$lycosa" store dump --store free >was && cmp was is >>problem
result $? "a limit of 0 is none"
for name in warc domains log user-agent seeds order rejected cacert auth header policy config; do
	refused 2 "--$name needs a value" --$name= && refused 2 "--$name needs a value" --$name ''
done
echo 'warc =' >empty.conf
refused 2 "empty.conf:1: --warc needs a value" --config empty.conf
(export http_proxy=http://127.0.0.1:9 && crawl --store unproxied --proxy= -q --max-pages 1 "$site/0") >/dev/null 2>>problem ||
	echo "no proxy at all is refused" >>problem
[ ! -s problem ]
result $? "an empty value is refused, but for a proxy"
crawl --store second --previous second "$site/0" >out 2>problem
[ $? -eq 2 ] && grep -q "would overwrite what --previous 'second' reads" problem
result $? "a crawl is not compared with itself"
