# Sourced by bench-live.sh, bench-recall.sh and live-order.sh: real documentation sites (live-sites.tsv) on nginx, each on a loopback
# address of its own. The caller sets $here, the folder of this file, $sets, the sets of sites, $dir, the current
# folder, which keeps the sites, and perhaps $table, another table than live-sites.tsv.
port=${PORT:-$((20000 + RANDOM % 20000))}
seed=http://127.0.1.100:$port/
only_sites="^http://127\\.0\\.1\\.[0-9]+:$port/"
no_pages=css,js,png,gif,jpg,jpeg,svg,ico,pdf,gz,zip,txt,xml,json,c,h,cc,cpp,hpp,cxx,hxx,py,epub,inv
detectors="duplicates chain mirror session-ids repeats queries depth years past hosts"

# fail MESSAGE: ends the script
fail() {
	echo "$(basename "$0" .sh): $*" >&2
	exit 1
}

# sites: a line for each site of $sets: name TAB folder TAB start pages TAB packages
sites() {
	awk -F '\t' -v OFS='\t' -v sets=" $sets " '!/^#/ && index(sets, " " $1 " ") { print $2, $3, $4, $5 }' \
		"${table:-$here/live-sites.tsv}"
}

# fetch_site PACKAGE: downloads and unpacks a package; it is not installed
fetch_site() {
	ls debs/"$1"_*.deb || (cd debs && apt-get download -qq "$1") || return
	dpkg-deb -x debs/"$1"_*.deb root && : >"root/.$1"
}

# fetch_sites: fetches the packages that are not here yet
fetch_sites() {
	missing=
	mkdir -p debs root run
	for package in $(sites | cut -f 4); do
		[ -e "root/.$package" ] || fetch_site "$package" >talk 2>&1 || missing="$missing $package"
	done
	[ -z "$missing" ] || fail "apt-get cannot download these packages of Debian 12 ($dir/talk has the reason of the last):$missing"
	# links that leave the packages would lead into this machine's own files
	find root -type l -lname '/*' -delete
	chmod -R a+rX .
}

# configure: one server a site, 127.0.1.1 and on; 127.0.1.100 has a page that leads to all
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
		while IFS=$'\t' read -r _ folder starts _; do
			n=$((n + 1))
			[ -d "root/$folder" ] || continue
			echo "	server { listen 127.0.1.$n:$port; root $dir/root/$folder; index index.html; }"
			for start in $starts; do
				echo "<a href=\"http://127.0.1.$n:$port$start\">$start</a>" >>www/index/index.html
			done
		done < <(sites)
		echo "}"
	} >nginx.conf
}

stop_sites() {
	[ -z "${server:-}" ] || { kill "$server" && wait "$server"; } 2>/dev/null
	server=
	rm -rf run/*
}

# start_sites: serves them until the script ends, or starts others; everybody finds the pages in memory
start_sites() {
	nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || fail "nginx is missing: on Debian, apt-get install nginx-light"
	stop_sites
	fetch_sites
	configure
	rm -f nginx.pid
	"$nginx" -p "$dir" -c nginx.conf 2>/dev/null &
	server=$!
	trap stop_sites EXIT
	for _ in $(seq 100); do [ -s nginx.pid ] && break; sleep 0.1; done
	[ -s nginx.pid ] || fail "nginx did not start on port $port; see $dir/error.log"
	sites | while IFS=$'\t' read -r _ folder _; do find "root/$folder" -type f -exec cat {} + >/dev/null; done
}

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
