#!/bin/sh
# A server that answers 503 to everything for a while costs no page, and a page that alone is answered so is given up.
. "$(dirname "$0")/../tap.sh"
PATH=$PATH:/usr/sbin
needs nginx jq
plan 3

mkdir web conf logs
for port in $(seq 18800 18899); do
	cat >conf/nginx.conf <<-END
		$([ "$(id -u)" = 0 ] && echo "user root;") daemon off; worker_processes 1; pid $work/logs/pid; error_log $work/logs/error;
		events { }
		http {
			access_log off;
			default_type text/html;
			client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
			uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
			server {
				listen 127.0.0.1:$port;
				root $work/web;
				location = /robots.txt { return 404; }
				location = /broken { return 503; }
				location / { if (-f $work/busy) { return 503; } }
			}
		}
	END
	background nginx -p "$work" -c conf/nginx.conf >logs/out 2>&1
	nginx=$!
	wait_until $nginx test -s logs/pid && kill -0 $nginx 2>/dev/null && break
done
servers="$servers $nginx"

# each page leads to the next three
for i in $(seq 0 199); do
	for k in 1 2 3; do echo "<a href=$((i + k))>word$((i * k)) of page number$i</a>"; done >web/$i
done
for i in 200 201 202; do echo "the end of page$i" >web/$i; done
echo "<a href=0>0</a><a href=broken>broken</a>" >web/index.html

background "$lycosa" crawl "http://127.0.0.1:$port/" --store store --delay 10ms --parallel 4 --log log.jsonl -q >summary 2>errors
crawl=$!
lines() { cat log.jsonl 2>/dev/null | grep -c "$1"; }
has() { [ "$(lines "$2")" -ge "$1" ]; }
wait_until $crawl has 30 '"event":"crawled"'
touch busy
wait_until $crawl has 3 '"error":"busy"'
rm busy
wait $crawl
status=$?
{
	[ $status = 0 ] && grep -qx 'crawled	204' summary && grep -qx 'failed	1' summary || { echo "status $status"; cat summary errors; }
	[ "$(lines '"error":"busy"')" -ge 3 ] || echo "the server was not busy"
} >problem 2>&1
verdict "every page is crawled whose server had answered 503 for a while"
"$lycosa" store explain --store store "http://127.0.0.1:$port/broken" >explained 2>&1
grep -qx '# state: failed' explained && grep -qx '# status: 503' explained || cat explained >problem
verdict "a page that alone is answered 503 fails"
"$lycosa" store verify --store store >verified 2>&1 || cat verified >problem
verdict "the store is sound"
