#!/bin/sh
# Agents and a NATS server that asks who they are: user and password, an nkey, credentials, TLS in one and in both directions, each by flags
# and by the variables that NATS's own tools read.
. "$(dirname "$0")/../tap.sh"
. "$top/tests/agents/fleet.sh"
needs openssl curl
plan 20
unset NATS_CREDS NATS_NKEY NATS_CA NATS_CERT NATS_KEY NATS_USER NATS_PASSWORD

"$lycosa" graph generate --nodes 12 --arcs-per-node 3 --write-hosts web.hosts web.txt
serve --graph web.txt --hosts web.hosts
seed="http://$(head -n 1 web.hosts)/0"
common="$seed -H --connect-to ::127.0.0.1:$port --delay 0 -q"

# server FLAGS...: another server, in place of the one before
server() {
	[ -z "${bus:-}" ] || { kill "$bus" && wait "$bus" 2>/dev/null; }
	rm -rf jetstream
	nats -1 "$@"
	host=${nats#nats://}
}

# joins URL FLAGS...: a crawl of one agent is done, and its agents are listed
joins() {
	url=$1
	shift
	rm -rf store
	status 0 "$lycosa" crawl --join "$url" --store store $common "$@" && [ "$(awk '$1 == "crawled" { print $2 }' results)" -gt 3 ] &&
		status 0 "$lycosa" fleet status "$url" "$@" && grep -q '^0	.*	left	' results
}

# refused STATUS TEXT URL FLAGS...: one line says why, and no password is in it
refused() {
	wanted=$1 text=$2 url=$3
	shift 3
	rm -rf store
	says "$wanted" "$text" "$lycosa" crawl --join "$url" --store store $common "$@" && ! grep -q s3cret errors
}

server --user ann --pass s3cret
joins "nats://ann:s3cret@$host/web"
result $? "user and password in the URL"
NATS_USER=ann NATS_PASSWORD=s3cret joins "nats://$host/env"
result $? "user and password in the environment"
refused 21 'Authorization Violation' "nats://ann:s3cretly@$host/web" && refused 21 'Authorization Violation' "nats://$host/web"
result $? "a wrong password, or none, is said, and not shown"

"$lycosa" fleet permissions nats://127.0.0.1:4222/two >two.perm
printf 'authorization { users = [ { user: ann, password: s3cret, permissions: {\n include two.perm\n } } ] }\n' >perm.conf
server -c perm.conf
nats=nats://ann:s3cret@$host
agent two 1 $seed -H --connect-to ::127.0.0.1:$port --delay 0 --agents 2
pid1=$agent
wait_for two.1.err 'agent 1 of 2' $pid1
agent two 2
wait $pid1 && wait $agent && status 0 "$lycosa" fleet status "$nats/two" && [ "$(grep -c '	left	' results)" = 2 ] &&
	! grep -i permission two.1.err two.2.err nats.log
result $? "the subjects that fleet permissions prints are enough for two agents"
refused 21 'cannot make stream and bucket' "$nats/other"
result $? "and not for another crawl"

server -c "$top/tests/nats/nkey.conf"
joins "nats://$host/web" --nats-nkey "$top/tests/nats/user.nk" && NATS_NKEY=$top/tests/nats/user.nk joins "nats://$host/env"
result $? "the seed of an nkey"
sed 's/^SUA./SUAX/' "$top/tests/nats/user.nk" >wrong.nk
refused 2 'has no seed' "nats://$host/web" --nats-nkey wrong.nk && refused 3 'No such file' "nats://$host/web" --nats-nkey none.nk
result $? "a file with a seed that is none, and one that is not there"

server -c "$top/tests/nats/operator.conf"
joins "nats://$host/web" --nats-creds "$top/tests/nats/user.creds" && NATS_CREDS=$top/tests/nats/user.creds joins "nats://$host/env"
result $? "a file of credentials"
refused 21 'Authorization Violation' "nats://$host/web" && refused 3 'No such file' "nats://$host/web" --nats-creds none.creds
result $? "no credentials, and a file that is not there"

# an authority, and certificates of it for the server and for an agent
certificate() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1" >/dev/null 2>&1 &&
		printf 'subjectAltName=IP:127.0.0.1,DNS:localhost\n' >san && openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial \
		-days 2 -extfile san -out "$1.pem" >/dev/null 2>&1
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority >/dev/null 2>&1
certificate server && certificate agent
server --tls --tlscert server.pem --tlskey server.key
host=${host#tls://}
joins "tls://$host/web" --nats-cacert ca.pem && NATS_CA=ca.pem joins "tls://$host/env"
result $? "TLS, with an authority of the own"
joins "nats://$host/same" --nats-cacert ca.pem
result $? "nats:// speaks TLS, too, where an authority is named"
refused 21 'certificate' "tls://$host/web"
result $? "a certificate of an authority that is not trusted"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other >/dev/null 2>&1
refused 2 'as certificates to trust' "tls://$host/web" --nats-cacert ca.key && refused 3 'No such file' "tls://$host/web" --nats-cacert none.pem &&
	refused 21 'certificate' "tls://$host/web" --nats-cacert other.pem
result $? "a file without certificates, one that is not there, and one of another authority"

server --tlsverify --tlscert server.pem --tlskey server.key --tlscacert ca.pem
host=${host#tls://}
joins "tls://$host/web" --nats-cacert ca.pem --nats-cert agent.pem --nats-key agent.key &&
	NATS_CA=ca.pem NATS_CERT=agent.pem NATS_KEY=agent.key joins "tls://$host/env"
result $? "a server that asks for a certificate of the agent"
refused 2 'give both' "tls://$host/web" --nats-cacert ca.pem --nats-cert agent.pem && refused 21 'cannot connect' "tls://$host/web" --nats-cacert ca.pem
result $? "half of what it takes, and nothing"

# a crawl that is steered: seeds that are added, the table that is watched, metrics that say whose they are
server
for site in 1 2 3 4 5 6 7 8; do for page in 0 1; do echo "http://added$site.test/$page"; done; done >sites.urls
awk 'BEGIN { for (i = 0; i < 16; i += 2) print i "\t" i + 1 }' >sites.txt
serve --graph sites.txt --urls sites.urls
steered="http://added1.test/0 --connect-to ::127.0.0.1:$port --delay 0"
agent steered 1 $steered --agents 2 --metrics 0
pid1=$agent
wait_for steered.1.err 'agent 1 of 2' $pid1
"$lycosa" fleet pause "$nats/steered"
agent steered 2
pid2=$agent
seq 3 6 | sed 's|.*|http://added&.test/0|' >more.seeds
status 0 "$lycosa" fleet seeds "$nats/steered" added2.test/0 --seeds more.seeds
wait_for steered.1.err 'metrics at' $pid1
metrics=$(sed -n 's/^lycosa: metrics at //p' steered.1.err)
have_seeds() { status 0 "$lycosa" fleet status "$nats/steered" && [ $(($(field 0 seen) + $(field 1 seen))) = 6 ]; }
wait_until $pid1 have_seeds
curl -s "$metrics" >metrics
sed 's/{crawl="steered",agent="0"}//; s/{crawl="steered",agent="0",/{/' metrics | awk -f "$top/tests/monitor/prometheus.awk" >problem
[ ! -s problem ] && grep -q '^lycosa_seen_pages{crawl="steered",agent="0"} ' metrics && ! grep '^[a-z_]* \|^[a-z_]*{[^c]' metrics >problem
result $? "each metric says of which agent of which crawl it is"
background "$lycosa" fleet status --watch "$nats/steered" >watched 2>problem
watcher=$!
"$lycosa" fleet resume "$nats/steered"
wait $pid1 $pid2
wait $watcher
watched=$?
cp watched problem
[ $watched = 0 ] && [ "$(grep -c '^all  *done  *1024  *12 ' watched)" -ge 1 ] && [ "$(grep -c '^agent ' watched)" -ge 2 ]
result $? "the table is printed again and again, to the end of the crawl"
cat steered.1.order steered.2.order | sort >crawled
head -n 12 sites.urls | sort | diff - crawled >problem && [ -s steered.1.order ] && [ -s steered.2.order ]
result $? "seeds that are added to a crawl are crawled by the agents whose they are"
says 0 "the crawl is done: its agents take the seeds when they are started again" "$lycosa" fleet seeds "$nats/steered" http://added7.test/0 &&
	status 0 "$lycosa" fleet seeds "$nats/steered" -q http://added8.test/0 && says 2 'no seed is given' "$lycosa" fleet seeds "$nats/steered" &&
	says 2 'is not http or https' "$lycosa" fleet seeds "$nats/steered" ftp://x.test/
result $? "seeds of a crawl that is done wait, and what is no seed is refused"
"$lycosa" fleet resume "$nats/steered"
agent steered 1
pid1=$agent
agent steered 2
wait $pid1 $agent
status 0 "$lycosa" store info --store steered.1 && cp steered.1.order problem && cat steered.1.order steered.2.order | sort >crawled &&
	sort sites.urls | cmp - crawled
result $? "they are taken up after a resume"
