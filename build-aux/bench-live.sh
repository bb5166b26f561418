#!/bin/bash
# make bench-live: real documentation sites on nginx, each on a loopback address of its own, crawled
# whole by lycosa and by the peers that are installed (wget2, HTTrack), one after another. Pages are
# counted from the server's log, for everybody alike; CPU is user + system of the crawler.
#
#   bench-live.sh LYCOSA DIR     DIR keeps the sites; the packages are fetched by apt-get, not installed
#   POLICIES="bfs opic ieca"  PEERS="wget2 httrack"  ROUNDS=1
set -u
lycosa=$(readlink -f "$1") && mkdir -p "$2/debs" "$2/root" "$2/run" && cd "$2" || exit 1
dir=$PWD
port=${PORT:-$((20000 + RANDOM % 20000))}
nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || { echo "bench-live: no nginx here" >&2; exit 1; }

# package, folder, first pages
sites="python3.11-doc usr/share/doc/python3.11/html /index.html
postgresql-doc-15 usr/share/doc/postgresql-doc-15/html /index.html
sqlite3-doc usr/share/doc/sqlite3 /index.html
libglib2.0-doc usr/share/gtk-doc/html /glib/index.html /gobject/index.html /gio/index.html
cmake-doc usr/share/doc/cmake-data/html /index.html
python-django-doc usr/share/doc/python-django-doc/html /index.html
nodejs-doc usr/share/doc/nodejs/api /index.html"

fetch_sites() {
	echo "$sites" | while read -r package _; do
		ls debs/"$package"_*.deb >/dev/null 2>&1 || (cd debs && apt-get download -qq "$package")
		[ -e "root/.$package" ] || { dpkg-deb -x debs/"$package"_*.deb root && : >"root/.$package"; }
	done
	# links that leave the packages would lead into this machine's own files
	find root -type l -lname '/*' -delete
	chmod -R a+rX .
}

# one server a site, 127.0.1.1 and on; 127.0.1.100 has a page that leads to all
configure() {
	mkdir -p www/index
	n=0
	{
		echo "daemon off; worker_processes 1; pid $dir/nginx.pid; error_log $dir/error.log crit;"
		[ "$(id -u)" != 0 ] || echo "user root;"
		echo "events { worker_connections 4096; }"
		echo "http { include /etc/nginx/mime.types; default_type application/octet-stream; sendfile on;"
		echo "	keepalive_requests 10000000; log_format pages '\$status \$sent_http_content_type http://\$host\$request_uri';"
		echo "	access_log $dir/access.log pages;"
		for kind in client_body proxy fastcgi uwsgi scgi; do echo "	${kind}_temp_path $dir/tmp_$kind;"; done
		echo "	server { listen 127.0.1.100:$port; root $dir/www/index; index index.html; }"
		echo "<!doctype html><title>sites</title>" >www/index/index.html
		while read -r _ folder starts; do
			n=$((n + 1))
			[ -d "root/$folder" ] || continue
			echo "	server { listen 127.0.1.$n:$port; root $dir/root/$folder; index index.html; }"
			for start in $starts; do
				echo "<a href=\"http://127.0.1.$n:$port$start\">$start</a>" >>www/index/index.html
			done
		done <<<"$sites"
		echo "}"
	} >nginx.conf
}

only_sites="^http://127\\.0\\.1\\.[0-9]+:$port/"
no_pages=css,js,png,gif,jpg,jpeg,svg,ico,pdf,gz,zip,txt,xml,json,c,h,cc,cpp,hpp,cxx,hxx,py,epub,inv

# watch_peak PROGRAM: leaves the peak memory of the program that runs in run/ in the file `peak`, in KB
watch_peak() {
	program=$(basename "$1" | cut -c 1-15)
	while sleep 0.1; do
		for pid in $(pgrep -x "$program"); do
			[ "$(readlink "/proc/$pid/cwd")" = "$dir/run" ] || continue
			kb=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null)
			[ -z "$kb" ] || echo "$kb" >peak
		done
	done
}

# run NAME COMMAND...: a row of the table
run() {
	name=$1
	shift
	rm -rf run/* && : >access.log
	echo 0 >peak
	watch_peak "$1" &
	watch=$!
	(
		cd run || exit 1
		TIMEFORMAT='%U %S %R'
		time timeout "${LIMIT:-600}" "$@" >/dev/null 2>../talk
	) 2>seconds
	sleep 1
	kill $watch
	awk -v name="$name" -v seconds="$(tail -n 1 seconds)" -v peak="$(cat peak)" '
		$3 ~ /\/robots.txt$/ { next }
		{ asked++ }
		$1 == 200 && $2 ~ /^text\/html|xhtml/ { html++; pages += !seen[$3]++ }
		END {
			split(seconds, s, " ")
			printf "%s\t%.3f\t%d\t%d\t%d\t%.1f\t%.0f\n", name, pages ? (s[1] + s[2]) * 1000 / pages : 0,
				pages, html - pages, asked, s[3], peak / 1024
		}' access.log
}

run_all() {
	seed=http://127.0.1.100:$port/
	for policy in ${POLICIES:-bfs opic ieca}; do
		run "lycosa $policy" "$lycosa" crawl "$seed" -H --accept-regex "$only_sites" -R "$no_pages" \
			--allow-private --store store --delay 0 --parallel 16 --parallel-per-host 16 --policy "$policy" -q
	done
	# as many pages with the limits of traps as without, and at what cost
	off=()
	for option in duplicates mirror session-ids repeats depth years past queries hosts; do off+=(--trap-opt "$option=0"); done
	run "lycosa bfs, traps off" "$lycosa" crawl "$seed" -H --accept-regex "$only_sites" -R "$no_pages" "${off[@]}" \
		--allow-private --store store --delay 0 --parallel 16 --parallel-per-host 16 --policy bfs -q
	for peer in ${PEERS:-wget2 httrack}; do
		command -v "$peer" >/dev/null || { echo "# $peer is not installed"; continue; }
		case $peer in
		wget2)
			run wget2 wget2 -q --no-config -r -l inf -H --accept-regex "$only_sites" --filter-urls -R "$no_pages" \
				--max-threads=16 --robots=off --no-compression --no-cookies --no-hsts --no-http2 --tries=1 \
				--ignore-tags=img,script,link,source,video,audio,embed,object,input,body,table,td \
				--progress=none --delete-after "$seed"
			;;
		httrack)
			filters=()
			for suffix in ${no_pages//,/ }; do filters+=("-*.$suffix"); done
			run httrack httrack "$seed" -O . -q -%v0 -p1 -c32 -%c10000 -A1000000000 --disable-security-limits \
				-%q -C0 -I0 -s0 -r9999 -R0 -T10 -K0 -%P0 -b0 -Q "-*" "+127.0.1.*" "${filters[@]}"
			;;
		esac
	done
}

fetch_sites
configure
rm -f nginx.pid
"$nginx" -p "$dir" -c nginx.conf 2>/dev/null &
server=$!
trap 'kill $server; rm -rf run/*' EXIT
for _ in $(seq 100); do [ -s nginx.pid ] && break; sleep 0.1; done
find root -type f -exec cat {} + >/dev/null # everybody finds the pages in memory
printf 'crawler\tcpu_s_per_1000\tpages\ttwice\trequests\tseconds\tpeak_mb\n'
for _ in $(seq "${ROUNDS:-1}"); do run_all; done
