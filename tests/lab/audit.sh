#!/bin/sh
# lycosa audit: a polite crawl passes, whatever the server does to it; crawlers that are not polite are found out; logs of
# nginx are read by their log_format.
. "$(dirname "$0")/../tap.sh"
plan 12

# breaches FILE RULE: how often the rule was broken
breaches() {
	awk -F '\t' -v rule="$2" '$1 == rule { print $3 }' "$1"
}

"$lycosa" graph generate --nodes 120 --arcs-per-node 6 --rng-seed 3 --write-hosts web.hosts web.txt
printf 'User-agent: *\nDisallow: /7\nCrawl-delay: 0.05\n' >robots.txt
serve --graph web.txt --hosts web.hosts --addresses 3 --log requests.log --robots robots.txt \
	--faults 404=0.05,500=0.05,503=0.05:1s,redirect=0.05,truncate=0.03,drop=0.03,slow=0.1:30ms
awk 'NR % 8 == 1 { print "http://" $0 "/" NR - 1 }' web.hosts >seeds.txt
"$lycosa" crawl --seeds seeds.txt --store crawl -H --delay 20ms --connect-to "::127.0.0.2:$port" -q \
	>crawl.out 2>problem
status 0 "$lycosa" audit requests.log --delay 20ms --rest 20ms --robots robots.txt && grep -q '^# addresses: 1$' results &&
	awk -F '\t' '$1 == "retry-after" && $2 > 2 { r = 1 } $1 == "robots-obeyed" && $2 > 50 { o = 1 } END { exit !(r && o) }' results
result $? "a crawl among faults passes every rule, and the rules had something to judge"
printf 'User-agent: *\nDisallow: /1\n' >other.txt
status 1 "$lycosa" audit requests.log --robots other.txt && [ "$(breaches results robots-obeyed)" -gt 3 ] &&
	[ "$(breaches results twice)" = 0 ]
result $? "by another robots.txt it does not"
awk -F '\t' '!/\/robots.txt/' requests.log >pages.log
status 1 "$lycosa" audit pages.log && [ "$(breaches results robots-first)" -gt 50 ]
result $? "without its requests for robots.txt it does not"
cat requests.log requests.log >two.log
status 1 "$lycosa" audit two.log && [ "$(breaches results twice)" -gt 50 ]
result $? "nor twice"
awk -F '\t' -v OFS='\t' '$7 == 503 { $8 = 9 } 1' requests.log >longer.log
status 1 "$lycosa" audit longer.log && [ "$(breaches results retry-after)" -gt 0 ]
result $? "nor if the server had asked for more time"
status 1 "$lycosa" audit requests.log --rest 10s --most 3 && [ "$(grep -c '^#breaches	[0-9]' results)" = 3 ] &&
	grep -q "^lycosa: rules were broken: host-delay (" errors
result $? "as many breaches are printed as are asked for"
"$lycosa" audit requests.log --json >results.json 2>errors
{ ! command -v jq >/dev/null || jq -e '.rows | length == 8' results.json >/dev/null; } 2>problem
result $? "JSON has a row for each rule"
: >empty.log
says 19 "there is no request" "$lycosa" audit empty.log
result $? "an empty log proves nothing"
says 3 "line 1: it is not of the format" "$lycosa" audit web.txt
result $? "what is no log is told, with its line"
says 2 "msec is needed" "$lycosa" audit requests.log --format '$host $request'
result $? "a format without times is told"

if command -v curl >/dev/null && nginx=$(PATH=$PATH:/usr/sbin command -v nginx); then
	mkdir logs site
	for i in 1 2 3 4 5 6; do echo "<html><body><a href=\"$((i + 1)).html\">next</a> page $i</body></html>" >site/$i.html; done
	format='$msec $request_time $server_addr $host "$request" $status "$http_user_agent"'
	free_port
	cat >nginx.conf <<-END
	$([ "$(id -u)" = 0 ] && echo "user root;")
	daemon off; worker_processes 1; pid $work/nginx.pid; error_log $work/error.log;
	events { worker_connections 64; }
	http { log_format timed '$format'; access_log $work/access.log timed;
		client_body_temp_path $work/logs; proxy_temp_path $work/logs; fastcgi_temp_path $work/logs;
		uwsgi_temp_path $work/logs; scgi_temp_path $work/logs; types { text/html html; }
		server { listen 127.0.0.1:$port; root $work/site; } }
	END
	background "$nginx" -p "$work" -c nginx.conf 2>nginx.err
	server=$!
	servers="$servers $server"
	wait_for nginx.pid . $server || cat nginx.err >&2
	"$lycosa" crawl "http://127.0.0.1:$port/1.html" --store site.store --delay 100ms -q >crawl.out 2>problem
	wait_for access.log 'GET /7.html' $server
	status 0 "$lycosa" audit access.log --agent lycosa --format "$format" --delay 100ms --tolerance 5ms &&
		grep -q '^# pages: 7$' results
	result $? "a log of nginx proves it, too"
else
	skip "a log of nginx" "no nginx"
fi
if [ -s access.log ] && command -v wget2 >/dev/null; then
	: >access.log
	wget2 -q --no-robots --recursive --level 5 --directory-prefix w "http://127.0.0.1:$port/1.html" >wget.out 2>&1
	wait_for access.log 'GET /6.html' $server
	status 1 "$lycosa" audit access.log --format "$format" --rest 5s
	{ cat results errors wget.out access.log; } >problem
	# later versions of wget2 ask for robots.txt, though they are told not to
	grep -q robots.txt access.log && unasked=0 || unasked=6
	[ "$(breaches results robots-first)" = $unasked ] && [ "$(breaches results host-delay)" -gt 3 ]
	result $? "wget2 without manners is found out"
else
	skip "wget2 without manners" "no nginx or no wget2"
fi
