#!/bin/sh
# Crawls in virtual time (replay --politeness): their orders, their clock, and what --politeness takes.
. "$(dirname "$0")/../tap.sh"
policies=$("$lycosa" list policies | awk -F '\t' '!/^#/ && $5 == "" { print $1 }')
policies="$policies bfs:60,ieca largest-site:30,opic:40,backlink ieca:50,partial-pagerank:70,random"
plan $(($(echo "$policies" | wc -w) + 32))

"$lycosa" graph generate --nodes 300 --arcs-per-node 6 --rng-seed 7 --write-urls web.urls web.txt
alone=delay=0,parallel=1,latency=0,bandwidth=0
for policy in $policies; do
	common="--graph web.txt --urls web.urls --seeds random:2 --policy $policy --rng-seed 3 --keys"
	"$lycosa" replay $common --order replayed >/dev/null 2>problem &&
		"$lycosa" replay $common --order virtual --politeness $alone >/dev/null 2>problem &&
		[ "$(wc -l <virtual)" -gt 100 ] && diff replayed virtual >problem
	result $? "$policy: one page at a time and without delays, virtual time has the replay's order and keys"
done

# end FLAGS...: the last row of the table "times" into `seconds` and `crawled`
end() {
	"$lycosa" replay "$@" >results 2>problem || return 1
	eval "$(awk -F '\t' '/^#times/ { s = $4; c = $5 } END { print "seconds=" s " crawled=" c }' results)"
}

# the first page of a host follows its robots.txt after a delay
"$lycosa" graph generate --nodes 100 --rng-seed 2 chain.txt
awk 'BEGIN { for (i = 0; i < 99; i++) print i "\t" i + 1 }' >chain.txt
echo 0 >seeds.txt
end --graph chain.txt --seeds seeds.txt --politeness delay=2s,jitter=0,latency=0,bandwidth=0 &&
	[ "$seconds" = 200 ] && [ "$crawled" = 100 ]
result $? "a host's 100 pages take 100 delays (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=0,latency=150ms,bandwidth=0 &&
	[ "$seconds" = 15.3 ]
result $? "without a delay they take a latency each, and so do the host's name and robots.txt (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=1s,delay-factor=10,jitter=0,latency=300ms,bandwidth=0 &&
	[ "$seconds" = 330.6 ]
result $? "a slow host rests for longer (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=1s,jitter=0,latency=0,bandwidth=0,crawl-delay=1:5s &&
	[ "$seconds" = 500 ]
result $? "a Crawl-delay is kept (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=1s,jitter=0,latency=0,bandwidth=0,crawl-delay=1:1h &&
	[ "$seconds" = 6000 ]
result $? "but for no more than a minute, as in a live crawl (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=0,latency=150s,bandwidth=0,timeout=0 &&
	[ "$seconds" = 15300 ]
result $? "without a time limit the slowest host is waited for (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=0,latency=0,bandwidth=0,503=1:7s &&
	[ "$seconds" = 800 ] && [ "$crawled" = 100 ]
result $? "Retry-After is kept, and the page waits a second longer than its host (${seconds:-none} s)"
end --graph chain.txt --seeds seeds.txt --politeness delay=1s,jitter=0,latency=0,bandwidth=0 --max-time 30s &&
	[ "$seconds" = 30 ] && [ "$crawled" = 29 ]
result $? "--max-time ends the crawl (${crawled:-no} pages)"
end --graph chain.txt --seeds seeds.txt --politeness dead=1 && [ "$crawled" = 0 ]
result $? "a dead host gives nothing"
echo 99 >last.txt
end --graph chain.txt --seeds last.txt --politeness 500=1,tries=5,delay=0,latency=0,bandwidth=0 &&
	[ "$crawled" = 0 ] && [ "$seconds" = 15 ]
result $? "four retries wait 1, 2, 4 and 8 s (${seconds:-none} s)"
end --graph web.txt --seeds random:2 --urls web.urls --politeness live,outage=0.1:1m --when 1s,30s,1m --rng-seed 4 && [ "$crawled" -gt 200 ]
result $? "a crawl gets through outages"
awk -F '\t' '/^#times/ && $3 == 1 { if ($4 <= t || $5 < n || $6 < f) exit 1; t = $4; n = $5; f = $6; rows++ } END { exit rows < 3 }' results
result $? "the rows of \"times\" go up"
"$lycosa" replay --graph web.txt --urls web.urls --seeds random:2 --politeness live,seed=1 >first
"$lycosa" replay --graph web.txt --urls web.urls --seeds random:2 --politeness live,seed=1 >second
"$lycosa" replay --graph web.txt --urls web.urls --seeds random:2 --politeness live,seed=2 >third
diff first second >problem && ! cmp -s first third
result $? "the web is drawn by its seed"

common="replay --graph web.txt --urls web.urls --seeds random:2"
says 2 "no politeness 'dely'; the nearest is 'delay'" "$lycosa" $common --politeness dely=2
result $? "an unknown name has a nearest one"
says 2 "'delay' takes a time" "$lycosa" $common --politeness delay=soon
result $? "a wrong time is told"
says 2 "'parallel' takes a whole number from 1" "$lycosa" $common --politeness parallel=0
result $? "a wrong number is told"
says 2 "'dead' takes a number from 0 to 1, not '2'" "$lycosa" $common --politeness dead=2
result $? "a wrong share is told"
says 2 "takes one value, but ':3' was given" "$lycosa" $common --politeness tries=2:3
result $? "a value too many is told"
says 2 "'polite' is not of the form name=value" "$lycosa" $common --politeness polite
result $? "a word alone is told"
says 2 "fault '404' takes a share" "$lycosa" $common --politeness 404=x
result $? "a wrong fault is told"
says 2 "give --politeness, too" "$lycosa" $common --when 1h
result $? "--when needs virtual time"
says 2 "each later than the one before" "$lycosa" $common --politeness live --when 1h,1m
result $? "--when goes up"
"$lycosa" replay --graph chain.txt --seeds seeds.txt --politeness live >results 2>errors && grep -q "all its pages are on one" errors
result $? "a graph without hosts is told of"
"$lycosa" replay --graph chain.txt --seeds seeds.txt --politeness live --policy ideal >results 2>errors && ! grep -q '^#times.*ideal' results
result $? "ideal is no crawl, and has no times"

# a crawl with a delay of its own, made again
head -n 29 chain.txt >short.txt
serve --graph short.txt --faults 404=0.1,seed=3
"$lycosa" crawl "http://127.0.0.1:$port/0" --store crawled --delay 30ms --parallel 3 -q >crawl.out 2>problem
pages=$(sed -n 's/^crawled	//p' crawl.out)
echo "http://127.0.0.1:$port/0" >seed.txt
quick=jitter=0,latency=0,bandwidth=0
end --graph crawled --seeds seed.txt --politeness store,$quick && [ "$crawled" = "$pages" ] &&
	awk -v s="$seconds" -v n="$pages" 'BEGIN { exit !(s >= n * 0.03 - 0.001 && s <= n * 0.03 + 0.031) }'
result $? "a store's crawl is made again with its delay (${seconds:-none} s for $pages pages)"
end --graph crawled --seeds seed.txt --politeness store,$quick,delay=2s && [ "$crawled" = "$pages" ] &&
	awk -v s="$seconds" -v n="$pages" 'BEGIN { exit !(s >= n * 2 - 0.001 && s <= n * 2 + 2.001) }'
result $? "and with another one (${seconds:-none} s)"
says 2 "is not the store of a crawl" "$lycosa" $common --politeness store
result $? "another graph is no store"

# a web that changes: an endless one, a graph's links, and links by month
status 0 "$lycosa" replay --graph endless:7,hosts=300,nodes=2000,changes=500 --seeds random:2 --politeness live,parallel=64 --policy opic \
	--when 1m,10m &&
	awk -F '\t' '/^#times.*seconds/ { for (i = 1; i <= NF; i++) at[$i] = i }
		/^#times\topic/ && at["fresh"] { n++; if (!($at["fresh"] < last || n == 1) || $at["found_then"] <= 0) bad = 1; last = $at["fresh"] }
		END { exit !(n == 3 && !bad && last < 0.5) }' results
result $? "pages of an endless web that changes get stale, and are judged by the ranking then"
cp results first
status 0 "$lycosa" replay --graph endless:7,hosts=300,nodes=2000 --seeds random:2 --politeness live,parallel=64,change-rate=500 --policy opic \
	--when 1m,10m && grep '^#times' first >wanted && grep '^#times' results | diff wanted - >problem
result $? "change-rate is another way to say changes"
printf '200901\ta\tb\n200901\tb\tc\n200902\tb\td\n200903\tb\tc\n' >months.txt
printf '0\n' >one.txt
months="replay --graph months.txt --seeds one.txt --politeness delay=0,latency=0,snapshot=1h,clock"
status 0 "$lycosa" $months=0 --order first && status 0 "$lycosa" $months=90m --order second &&
	[ "$(paste -s -d ' ' first)" = "0 1 2" ] && [ "$(wc -l <second)" = 0 ]
result $? "in the first month a leads to b and b to c; in the second month a is not there"
says 2 "is no list of links by month" "$lycosa" $common --politeness snapshot=1h
result $? "another graph has no months"
says 2 "nodes=N pages, not '0'" "$lycosa" replay --graph endless:7,nodes=0 --seeds random:2
result $? "a part of an endless web has pages"
