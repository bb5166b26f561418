#!/bin/sh
# Servers that do harm, over HTTP/1.1, TLS and HTTP/2: whatever they do ends in a recorded error, and
# the crawl within its limits.
. "$(dirname "$0")/../tap.sh"
python=$(command -v python3) || skip_all "no python3 for the server"
command -v openssl >/dev/null || skip_all "no openssl for the certificate"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>openssl.err || { cat openssl.err >&2; exit 1; }
mkfifo hold
"$python" "$top/tests/fetch/evil_server.py" cert.pem key.pem <hold >ports 2>server.err &
servers="$servers $!"
exec 9>hold
wait_for ports '^ready' || { cat server.err >&2; exit 1; }
plan 10

limits="--max-filesize 1M --max-unpacked 2M --max-headers 16K --max-redirect 5 --tries 1"
# what ends by itself has all the time that a busy machine takes; what does not has little
long="--timeout 0 --connect-timeout 1h --first-byte-timeout 1h --read-timeout 1h"
short="--timeout 4s --connect-timeout 1h --first-byte-timeout 2s --read-timeout 2s"

# crawl STORE FLAG-OR-URL...: all at once, none spared, in the background as $pid
crawl() {
	store=$1
	shift
	background "$lycosa" crawl --store "$store" --delay 0 --per-host 64 --parallel 64 --no-robots \
		--cacert cert.pem $limits "$@" >"$store.out" 2>"$store.err"
	pid=$!
}

# count NAME OUT: a figure of the summary
count() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }

# all side by side, since some wait for servers that answer never, for as long as the limits say
crawl h2 $short --connect-timeout 4s $(awk '$1 == "h2" { print "https://127.0.0.1:" $3 "/" }' ports)
h2=$pid
for scheme in http https; do
	site=$scheme://127.0.0.1:$(awk -v s=$scheme '$1 == s { print $2 }' ports)
	crawl $scheme $long "$site/"
	eval "$scheme=$pid"
	crawl $scheme-endless $short $(awk -v site=$site '$1 == "endless" { print site "/" $2 }' ports)
	eval "endless_$scheme=$pid"
done
# the status of each page of the faults
for scheme in http https; do
	port=$(awk -v s=$scheme '$1 == s { print $2 }' ports)
	site=$scheme://127.0.0.1:$port
	eval "wait \$$scheme"
	status=$?
	eval "wait \$endless_$scheme"
	endless=$?
	cat $scheme.err $scheme-endless.err >problem
	[ $status = 0 ] && [ $endless = 4 ]
	result $? "$scheme: the crawls end by themselves"
	for store in $scheme $scheme-endless; do
		"$lycosa" store verify --store $store >verified 2>&1 && [ "$(count queued $store.out)" = 0 ] || cat verified $store.out
	done >problem
	[ "$(count end $scheme.out)" = done ] && [ "$(count failed $scheme-endless.out)" = "$(grep -c ^endless ports)" ] || cat $scheme*.out >>problem
	verdict "$scheme: their stores are sound, and nothing is left over"
	"$lycosa" store dump --store $scheme | awk -F'\t' 'NF == 3 && $3 != "-" { print $1 }' |
		sed "s|$site||" | LC_ALL=C sort >came
	# a packed page that is cut where its length says so comes as far as it goes
	printf '%s\n' / /fine /cut-gzip | LC_ALL=C sort >fine
	diff fine came >problem
	result $? "$scheme: no page came but those without a fault"
	# most of them, by what is recorded; the time of a whole transfer may be over before there is TLS
	[ $scheme = http ] && drip=timeout || drip='timeout\|connect'
	while read -r name error; do
		store=$scheme
		grep -q "^endless $name$" ports && store=$scheme-endless
		"$lycosa" store explain --store $store "$site/$name" >explained 2>&1
		grep -q "$error" explained || { echo "$name:" && cat explained; } >>problem
	done <<END
silent timeout
stall timeout
drip $drip
drop broken
garbage broken
short broken
two-lengths broken
bad-chunk broken
huge-chunk broken
bad-gzip coding
bad-br coding
bomb too-big
endless-head too-big
endless-body too-big
endless-chunks too-big
huge too-big
huge-length too-big
loop redirects
chain-5 redirects
foreign redirect-nowhere
END
	[ ! -s problem ]
	result $? "$scheme: what went wrong is recorded"
done

wait $h2
status=$?
cat h2.err >problem
[ $status = 4 ]
result $? "HTTP/2 and TLS: every seed fails, and the crawl ends by itself"
"$lycosa" store verify --store h2 >problem 2>&1 &&
	[ "$(count failed h2.out)" = "$(grep -c ^h2 ports)" ] && [ "$(count queued h2.out)" = 0 ]
result $? "HTTP/2 and TLS: each is recorded, the store sound"
exec 9>&-
