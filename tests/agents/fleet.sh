# Sourced by the shell tests of crawls of several agents, behind tap.sh: a NATS server, agents, and what their stores have in the end.
PATH=$PATH:/usr/sbin
needs nats-server
has_agents || skip_all "this lycosa is built without NATS"

has_ports() { grep -q '://' ports/*.ports 2>/dev/null; }

# nats PORT FLAGS...: starts the server, on any free port if PORT is -1; its URL is then $nats, its pid $bus
nats() {
	port_of_nats=$1
	shift
	rm -rf ports
	mkdir ports
	background nats-server -js -sd "$work/jetstream" -a 127.0.0.1 -p "$port_of_nats" "$@" --ports_file_dir "$work/ports" >nats.log 2>&1
	bus=$!
	servers="$servers $bus"
	wait_until $bus has_ports || { cat nats.log >&2; exit 1; }
	nats=$(sed -n 's/.*"\([nt][atls]*:[^"]*\)".*/\1/p' ports/*.ports | tail -n 1)
}

# ways NAME FLAGS...: keeps the --connect-to of a crawl's first agent for the others, in NAME.ways: no agent takes it from the server
ways() {
	ways=$1.ways
	shift
	case " $* " in
	*" --connect-to "*) printf '%s\n' "$@" | awk 'take { printf "--connect-to %s ", $0 } { take = $0 == "--connect-to" }' >"$ways" ;;
	*) [ -e "$ways" ] || >"$ways" ;;
	esac
}

# agent NAME I FLAGS...: starts agent I of the crawl NAME, which has the pid $agent; what it says is in NAME.I.err, and what it has said in
# earlier sittings in NAME.I.earlier.err
agent() {
	name=$1 which=$2
	shift 2
	ways "$name" "$@"
	case " $* " in
	*" --connect-to "*) ;;
	*) set -- "$@" $(cat "$name.ways") ;;
	esac
	cat "$name.$which.err" >>"$name.$which.earlier.err" 2>/dev/null
	background "$lycosa" crawl --join "$nats/$name" --store "$name.$which" --progress none --order "$name.$which.order" "$@" \
		>"$name.$which.out" 2>"$name.$which.err"
	agent=$!
	servers="$servers $agent"
}

# two NAME FLAGS...: starts the two agents of a crawl, with the pids $pid1 and $pid2
two() {
	crawl=$1
	agent "$@"
	pid1=$agent
	[ -d "$crawl.2" ] || wait_for "$crawl.1.err" 'agent 1 of 2' $pid1
	agent "$crawl" 2
	pid2=$agent
}

# web PAGES EACH FAULTS: serves a web of so many pages with these faults, of which each EACH-th is a seed; the flags of a crawl of it are then $common
web() {
	"$lycosa" graph generate --nodes "$1" --arcs-per-node 6 --rng-seed 3 --write-hosts web.hosts web.txt
	serve --graph web.txt --hosts web.hosts --faults "$3" --log requests.log
	awk -v each="$2" 'NR % each == 1 { print "http://" $0 "/" NR - 1 }' web.hosts >seeds.txt
	common="--seeds seeds.txt -H --policy opic --connect-to ::127.0.0.1:$port --tries 1"
}

# unshared FLAGS...: the crawl `one`, without agents, whose pages are then in one.order and one.dump
unshared() {
	rm -rf one
	"$lycosa" crawl "$@" --store one --order one.order -q >/dev/null 2>problem && "$lycosa" store dump --store one | LC_ALL=C sort >one.dump
}

# field AGENT COLUMN: what `fleet status` in the file `results` says of an agent, or 0
field() {
	awk -F '\t' -v agent="$1" -v column="$2" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		$1 == agent { print $at; n++ }
		END { if (!n) print 0 }' results
}

# These are for wait_until, with the pid of an agent.
# has_sent NAME N: the two agents of a crawl have sent so many letters
has_sent() { status 0 "$lycosa" fleet status "$nats/$1" && [ "$(($(field 0 letters_sent) + $(field 1 letters_sent)))" -ge "$2" ]; }

# are_crawling NAME N: so many agents have their leases
are_crawling() { status 0 "$lycosa" fleet status "$nats/$1" && [ "$(grep -c '	crawls	' results)" = "$2" ]; }

# watch NAME: has the table of a crawl printed every two seconds, into `watched`, by the process $watcher
watch() {
	background "$lycosa" fleet status --watch "$nats/$1" >watched 2>watched.err
	watcher=$!
	servers="$servers $watcher"
	tables=0
	silent=-1
}

# is_silent: two more tables were printed, and no request was made between two such looks; $silent is the number of requests
is_silent() {
	[ "$(grep -c '^all ' watched)" -ge $((tables + 2)) ] || return 1
	before=$silent tables=$(grep -c '^all ' watched) silent=$(requests)
	[ "$before" = "$silent" ]
}

# requests [LOG]: how many requests a server has answered; it writes on behind what a test has cut from its log
requests() { tr -d '\000' <"${1:-requests.log}" | wc -l; }
has_requests() { [ "$(requests "${2:-}")" -ge "$1" ]; }

# states NAME: the state and the partitions of each agent, a line each
states() {
	"$lycosa" fleet status "$nats/$1" 2>>problem | awk -F '\t' '/^[0-9]/ { print $3, $5 }'
}

# is_in NAME I STATE: agent I is in the state
is_in() { states "$1" | sed -n "$2p" | grep -q "^$3 "; }

# has_share NAME I [LEAST]: agent I has more partitions than that
has_share() {
	states "$1" >now
	share=$(awk -v i="$2" 'NR == i { print $2 }' now)
	[ "${share:-0}" -gt "${3:-0}" ]
}

# polite: the requests since the last time have no breach: no host and no address was asked by two at once, or too soon; no page more than twice; $twice pages were asked twice
polite() {
	tr -d '\000' <requests.log >whole.log
	: >requests.log
	"$lycosa" audit whole.log --delay 20ms --rest 20ms >audit 2>>problem
	for rule in host-at-once address-at-once host-delay address-delay robots-first; do
		awk -F '\t' -v rule="$rule" '$1 == rule { print $2, $3 }' audit | grep -q '^[1-9][0-9]* 0$' || { grep "$rule" audit >>problem; return 1; }
	done
	twice=$(awk -F '\t' '$5 != "/robots.txt" && n[$4 $5]++ { t++ } END { print t + 0 }' whole.log)
}

# sound NAME I...: the stores of agents I... are sound, and together those of the crawl `one`
sound() {
	name=$1
	shift
	is_sound=0
	stores=
	for i in "$@"; do
		"$lycosa" store verify --store "$name.$i" >verified 2>&1 || { is_sound=1; head -n 3 verified >>problem; }
		stores="$stores $name.$i"
	done
	rm -rf "$name.all"
	"$lycosa" store merge $stores --into "$name.all" >merged 2>>problem || is_sound=1
	"$lycosa" store dump --store "$name.all" | LC_ALL=C sort >"$name.dump"
	cmp one.dump "$name.dump" >>problem 2>&1 || is_sound=1
	return $is_sound
}

# same NAME N: the stores of the N agents are sound, and together those of the crawl `one`, each page once
same() {
	# shellcheck disable=SC2046 # words
	sound "$1" $(seq "$2")
	is_sound=$?
	cat "$1".*.err 2>/dev/null | grep -v 'the crawl begins when' >>problem
	[ "$(sort "$1".[0-9]*.order | uniq -d | wc -l)" = 0 ] && [ $is_sound = 0 ]
}
