#!/bin/sh
# The fake web over HTTPS (serve --tls): crawls of it are those of the same web over HTTP, and only who trusts its authority gets in.
. "$(dirname "$0")/../tap.sh"
plan 9

# crawl STORE SCHEME FLAG...: from the seeds in `seeds`, of which the scheme is replaced
crawl() {
	store=$1 scheme=$2
	shift 2
	sed "s|^http:|$scheme:|" seeds >"$store.seeds"
	"$lycosa" crawl --store "$store" -H -q --connect-to "::127.0.0.1:$port" --seeds "$store.seeds" --contact me@example.org "$@" \
		>"$store.out" 2>"$store.err" || { cat "$store.err" >>problem; return 1; }
	"$lycosa" store dump --store "$store" | sed 's|https://|http://|g' | awk -F '\t' -v OFS='\t' '{ print $1, $2 }' | LC_ALL=C sort >"$store.dump"
}
stop() { kill "$server" && wait "$server" 2>/dev/null; }

"$lycosa" graph generate --nodes 400 --arcs-per-node 6 --rng-seed 5 --write-hosts web.hosts web.txt -q
faults=404=0.03,503=0.02:1s,slow=0.03:30ms,gzip=0.3,redirect=0.03,truncate=0.01,drop=0.01,seed=2
echo "http://$(head -n 1 web.hosts)/0" >seeds
serve --graph web.txt --hosts web.hosts --faults $faults
crawl plain http --delay 5ms
stop
serve --graph web.txt --hosts web.hosts --faults $faults --threads 2 --tls ca.pem --log requests.log
crawl secret https --delay 5ms --cacert ca.pem && [ "$(wc -l <plain.dump)" -gt 1500 ] && cmp plain.dump secret.dump >>problem
result $? "a crawl of a served graph over HTTPS has the pages and links of its crawl over HTTP, faults included"
"$lycosa" store dump --store secret | grep -q '^http:' && echo "a URL without TLS" >problem
verdict "all its URLs are of https"
status 0 "$lycosa" audit requests.log --delay 5ms
result $? "and the audit finds no breach"
says 4 "" "$lycosa" crawl --store untrusted -H -q --connect-to "::127.0.0.1:$port" --tries 1 --contact me@example.org "https://$(head -n 1 web.hosts)/0"
"$lycosa" store explain --store untrusted "https://$(head -n 1 web.hosts)/0" 2>&1 | grep -q tls
result $? "who has not got the authority's certificate does not trust the server"
openssl verify -CAfile ca.pem ca.pem >>problem 2>&1 && ! grep -q PRIVATE ca.pem
result $? "the file has a certificate, and no key"
crawl resumed https --delay 5ms --cacert ca.pem --max-pages 50 && crawl resumed https --delay 5ms --cacert ca.pem --max-pages 1000 &&
	cmp plain.dump resumed.dump >>problem
result $? "so does a crawl in two sittings"
stop

# no Crawl-delay of a robots.txt, and no pause after a slow answer: the order is that of the policy, however busy the machine is
web=7,hosts=300,rules=0,outside=0.5
serve --endless $web
sed -n 's/^the most popular page is //p' server.out >seeds
crawl many http --delay 0 --delay-factor 0 --parallel 1 --max-pages 300
stop
serve --endless $web --tls ca2.pem --log endless.log
sed -n 's/^the most popular page is //p' server.out | grep -q '^https://'
result $? "the first page of an endless web is of https"
sed -i 's/^https:/http:/' seeds
crawl many-secret https --delay 0 --delay-factor 0 --parallel 1 --max-pages 300 --cacert ca2.pem && [ "$(wc -l <many.dump)" -gt 2000 ] &&
	cmp many.dump many-secret.dump >>problem
result $? "a crawl of an endless web over HTTPS has the pages and links of its crawl over HTTP"
awk -F '\t' '$5 ~ /robots/ { n++ } END { exit !(n > 30) }' endless.log
result $? "of many hosts, each with a certificate of its own"
