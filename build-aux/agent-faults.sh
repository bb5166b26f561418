#!/bin/bash
# A crawl of more than 100,000 pages by four agents, once for each fault, compared with the crawl of one machine.
#
#   agent-faults.sh LYCOSA [FAULT ...]      none kills nap server disk (all of them)
#
# The web has 118,000 made-up pages on 1,800 hosts at 64 addresses, with failures and redirects. The faults:
#
#   kills    FLEET_KILLS (20) times an agent drawn at random is killed by SIGKILL and started again; the last one is not started again
#   nap      an agent is stopped by SIGSTOP for 30 s, and then finds that it has no share any more
#   server   nats-server is killed twice, and started again after 3 s and after 15 s
#   disk     an agent's store is on a file system with 25 bytes for each page (mounting it needs root); the others end the crawl
#
# A row for each: the requests; the pages that were asked for again, and how often at most a page was asked for; the requests of robots.txt
# beyond the first of each host; the breaches that lycosa-audit(1) finds: host or address asked by two at once, asked too soon; whether
# the merged stores are the one machine's, line by line; what the fault says of itself. AGENTS_DELAY (20ms), PAGES (118000), and
# AGENTS_FOLDER, which is kept with the dump of the one machine's crawl for the next time, may be set.
set -u
lycosa=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- none kills nap server disk
PATH=$PATH:/usr/sbin
delay=${AGENTS_DELAY:-20ms}
pages=${PAGES:-118000}
kills=${FLEET_KILLS:-20}
folder=${AGENTS_FOLDER:-$(mktemp -d)}
pids=
end() {
	for pid in $pids; do kill "$pid" 2>/dev/null; done
	mountpoint -q "$folder/small" && umount -l "$folder/small"
	[ "${AGENTS_FOLDER:-}" ] || rm -rf "$folder"
}
trap end EXIT
trap 'exit 1' INT TERM
mkdir -p "$folder" && cd "$folder" || exit 1

"$lycosa" graph generate -q --nodes "$pages" --arcs-per-node 6 --rng-seed 5 --write-hosts hosts web.txt
"$lycosa" serve --graph web.txt --hosts hosts --addresses 64 --faults 404=0.05,redirect=0.05,500=0.02 --log requests.log >address 2>serve.err &
pids=$!
until grep -q '^listening' address; do kill -0 "$pids" || exit 1; sleep 0.1; done
port=$(sed -n 's/^listening on .*://p' address)
awk 'NR % 2000 == 1 { print "http://" $0 "/" NR - 1 }' hosts >seeds
awk -v port="$port" '!n[$0]++ { print "--connect-to " $0 "::127.0.0." 1 + h++ % 64 ":" port }' hosts >connect
common="--seeds seeds -H --policy opic --tries 1 $(tr '\n' ' ' <connect)"
if [ ! -s one.dump ]; then
	"$lycosa" crawl $common --store one --delay 0 -q >/dev/null 2>one.err || { cat one.err; exit 1; }
	"$lycosa" store dump --store one | LC_ALL=C sort >one.dump
fi

# nats [PORT]: starts the server, which has the URL $nats then, and the pid $bus
nats() {
	rm -rf ports
	mkdir ports
	nats-server -js -sd jetstream -a 127.0.0.1 -p "${1:--1}" --ports_file_dir ports >>nats.log 2>&1 &
	bus=$!
	pids="$pids $bus"
	until grep -qs 'nats://' ports/*.ports; do kill -0 $bus || exit 1; sleep 0.1; done
	nats=$(sed -n 's/.*"\(nats:[^"]*\)".*/\1/p' ports/*.ports | tail -n 1)
}

# agent I FLAGS...: starts agent I, or starts it again; its pid is ${pid[I]}
agent() {
	local i=$1
	shift
	"$lycosa" crawl --join "$nats/web" --store "$store/$i" --progress none --order "$i.order" $common --delay "$delay" "$@" >"$i.out" 2>>"$i.err" &
	pid[i]=$!
	pids="$pids $!"
}

# state I: the state of agent I
state() {
	"$lycosa" fleet status "$nats/web" 2>/dev/null | awk -F '\t' '/^[0-9]/ { print $3 }' | sed -n "${1}p"
}

requests() { tr -d '\000' <requests.log | wc -l; }

# until_asked N: until so many requests were made
until_asked() {
	while [ "$(requests)" -lt "$1" ]; do kill -0 "${pid[1]}" || return; sleep 1; done
}

# --- the faults: each leaves in $left the agents that end the crawl, and in $says what it has seen

none() { :; }

kills() {
	local i n
	until_asked 1000
	for n in $(seq "$kills"); do
		sleep "1.$((RANDOM % 6))"
		i=$((1 + RANDOM % 4))
		kill -9 "${pid[i]}" && wait "${pid[i]}" 2>/dev/null
		[ "$n" = "$kills" ] || agent "$i"
	done
	left=$(echo 1 2 3 4 | tr -d "$i")
	says="$kills killed after $(requests) requests, agent $i for good"
}

nap() {
	until_asked $((pages / 6))
	kill -STOP "${pid[3]}"
	sleep 30
	"$lycosa" fleet pause "$nats/web" # so that whoever asks now is the one that wakes
	sleep 3
	local before=$(requests)
	kill -CONT "${pid[3]}"
	wait "${pid[3]}"
	says="status $? and $(($(requests) - before)) requests when it wakes"
	"$lycosa" fleet resume "$nats/web"
	left="1 2 4"
}

server() {
	local away
	for away in 3 15; do
		until_asked $(($(requests) + pages / 6))
		kill -9 "$bus" && wait "$bus" 2>/dev/null
		sleep "$away"
		nats "${nats##*:}"
	done
	says="away for 3 and 15 s"
}

disk() {
	wait "${pid[3]}"
	says="status $?: $(tail -n 1 3.err | cut -c 1-120)"
	left="1 2 4"
}

# judge FAULT: the row
judge() {
	local i ended="" stores=""
	for i in $left; do
		wait "${pid[i]}"
		ended="$ended $?"
		stores="$stores $store/$i"
	done
	tr -d '\000' <requests.log >"$1.log"
	: >requests.log
	"$lycosa" store merge $stores --into "$1.all" >/dev/null 2>merge.err
	"$lycosa" store dump --store "$1.all" | LC_ALL=C sort >"$1.dump"
	"$lycosa" audit "$1.log" --delay "$delay" --rest "$delay" >"$1.audit" 2>/dev/null
	breaches() { awk -F '\t' -v rule="$1" '$1 == rule { print $3 }' "$audit"; }
	audit=$1.audit
	printf '%s\t%s\t' "$1" "$(wc -l <"$1.log")"
	awk -F '\t' '$5 == "/robots.txt" { robots += n[$4 $5]++ > 0; next } { m = ++n[$4 $5]; again += m > 1; if (m > most) most = m }
		END { printf "%d\t%d\t%d\t", again, most, robots }' "$1.log"
	printf '%s\t%s\t%s\t%s\t' "$(breaches host-at-once)" "$(breaches address-at-once)" "$(breaches host-delay)" "$(breaches address-delay)"
	if cmp -s one.dump "$1.dump"; then printf 'same'; else printf 'DIFFERS'; fi
	printf '\tagents ended with%s%s\n' "$ended" "${says:+; $says}"
}

printf 'fault\trequests\tagain\tmost\trobots\thost_at_once\taddress_at_once\thost_soon\taddress_soon\tunion\tnote\n'
for fault; do
	rm -rf jetstream [1-4].order [1-4].err "$fault".all stores.*
	: >requests.log
	store=stores.$fault
	mkdir -p "$store"
	if [ "$fault" = disk ]; then
		mkdir -p small && mount -t tmpfs -o size=$((pages / 40))k none small || continue
		ln -s ../small "$store/3"
	fi
	left="1 2 3 4"
	says=
	pid=(0 0 0 0 0)
	nats
	agent 1 --agents 4
	until grep -qs 'agent 1 of 4' 1.err; do kill -0 "${pid[1]}" || exit 1; sleep 0.1; done
	for i in 2 3 4; do agent "$i"; done
	"$fault"
	judge "$fault"
	kill "$bus" && wait "$bus" 2>/dev/null
done
