# Sourced by the shell tests: TAP, a scratch folder, servers that end with the test.
# The caller's first line is `plan N`; $lycosa is the program under test.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${TEST_BUILD_DIR:-$(pwd)}
lycosa=$build/lycosa
work=$(mktemp -d)
servers=
number=0

tap_end() {
	for pid in $servers; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap tap_end EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
# the tests see the same language and the same terminal wherever they run
LC_ALL=C TERM=xterm
export LC_ALL TERM
unset LANGUAGE NO_COLOR COLUMNS LINES http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY

plan() { echo "1..$1"; }

# result STATUS NAME: one test's end; what went wrong stands in the file `problem`
result() {
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		[ ! -s problem ] || head -n 20 problem | sed 's/^/# /'
	fi
	[ ! -e problem ] || rm -f problem
}

# verdict NAME: one test's end, good where the file `problem` is empty or missing
verdict() {
	[ ! -s problem ]
	result $? "$1"
}

# status WANTED COMMAND...: its results in `results`, its talk in `errors`
status() {
	wanted=$1
	shift
	"$@" >results 2>errors
	got=$?
	[ $got -eq "$wanted" ] && return 0
	{ echo "status $got, not $wanted: $*"; cat errors; } >problem
	return 1
}

# says WANTED TEXT COMMAND...: that status, and one line of talk, that says TEXT
says() {
	wanted=$1 text=$2
	shift 2
	"$@" >results 2>errors
	got=$?
	[ $got -eq "$wanted" ] && grep -q "^lycosa: .*$text" errors && has_one_line errors && return 0
	{ echo "status $got, not $wanted, or not '$text' alone: $*"; cat errors; } >>problem
	return 1
}

# has_one_line FILE, without a process, which would cost more than what is tested
has_one_line() { read -r line && ! read -r line; } <"$1"

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# needs PROGRAM...: skips the whole script where one of them is missing
needs() {
	for program in "$@"; do
		command -v "$program" >/dev/null || skip_all "no $program"
	done
}

# may_mount: whether a command can have mounts of its own, by $unshare in front of it: root's, or those of a user who is root for the command
# alone, which a machine need not allow
may_mount() {
	for unshare in "unshare -m" "unshare -r -m"; do
		$unshare true 2>/dev/null && return
	done
	return 1
}
no_mounts="no mounts of its own for a test here (root has them; a user, where the system allows it)"

# has_agents: whether this lycosa is built with NATS
has_agents() { ! "$lycosa" crawl --join nats://127.0.0.1:1/x --store none 2>&1 | grep -q 'this lycosa has no agents'; }

# skip_all REASON: the whole script
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# background COMMAND...: the command in the background, with its pid in $!. The redirections of the call, `background crawl >out 2>errors`, are
# made before the command begins. Those of `crawl >out 2>errors &` are made some time later, in the new process, and meanwhile wait_for would
# find in the files what an earlier command has left there.
background() { "$@" & }

# start_server ARGUMENTS: starts the fake web; its port is then $port
start_server() {
	background "$lycosa" serve "$@" >server.out 2>server.err
	server=$!
	servers="$servers $server"
	wait_for server.out '^listening on' $server && port=$(sed -n 's/^listening on 127.0.0.1://p' server.out)
}

# serve ARGUMENTS: the same, and the script ends where the server does not start
serve() { start_server "$@" || { cat server.err >&2; exit 1; }; }

# free_port: a port at which nobody listens is then $port, another one for each script. The system gives none of these ports to a client or
# to a server without a port of its own.
free_port() {
	port=$((10000 + $$ * 7 % 20000))
	until curl -s -m 2 -o /dev/null "http://127.0.0.1:$port/"; [ $? = 7 ]; do port=$((port + 1)); done
}

# serve_to_return ARGUMENTS: as serve, at such a port, at which the test can start a server again after this one
serve_to_return() {
	port=$((10000 + $$ * 7 % 20000))
	until start_server --port "$port" "$@"; do
		grep -q 'cannot listen' server.err || { cat server.err >&2; exit 1; }
		port=$((port + 1))
	done
}

# wait_until PID COMMAND...: until the command succeeds; it has failed where the process PID has ended without. No number of seconds ends the
# wait, since a busy machine is no failure: what waits in vain is ended by the time limit of the whole test. $$ as the PID watches no process.
wait_until() {
	awaited=$1 pause=0.01
	shift
	until "$@"; do
		kill -0 "$awaited" 2>/dev/null || { "$@"; return; }
		sleep $pause
		case $pause in 0.01) pause=0.02 ;; 0.02) pause=0.05 ;; *) pause=0.1 ;; esac
	done
}

# wait_for FILE PATTERN [PID]: until the file has it, or the process PID, which writes it, has ended without
wait_for() { wait_until "${3:-$$}" grep -qs -e "$2" "$1"; }

# settle LOG URL: until nginx has written the lines of all that it has answered: its one worker writes them one after the other, and that of
# URL, a robots.txt, is the last
settle() {
	settled=$(grep -c /robots.txt "$1")
	curl -sk -o /dev/null "$2"
	wait_until $$ has_settled "$1"
}
has_settled() { [ "$(grep -c /robots.txt "$1")" -gt "$settled" ]; }

# in_vain COMMAND...: for wait_until: runs the command, again and again, until the process that is waited for has ended
in_vain() {
	"$@" 2>/dev/null
	return 1
}

# is_dead PID: for wait_until
is_dead() { ! kill -0 "$1" 2>/dev/null; }

# preload NAME LIBRARY: a link to the library as $preloaded, for LD_PRELOAD, in which a blank would end the path
preload() {
	preloaded=$work/.$1
	ln -sfn "$2" "$preloaded"
}

# at_call WHAT COMMAND...: the command in the background as $pid; WHAT is kill:N or stop:N, and it is then killed or stopped at its Nth call
# that changes a file (tests/faults/at_call.c): in the middle of its work, however busy the machine is
at_call() {
	at=$1
	shift
	preload at_call.so "$build/tests/faults/at_call.so"
	env AT_CALL="$at" LD_PRELOAD="$preloaded" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" "$@" &
	pid=$!
}

# killed_at N COMMAND...: whether the command was killed at its Nth call, and had not ended before
killed_at() {
	n=$1
	shift
	at_call "kill:$n" "$@"
	wait $pid 2>/dev/null # the shell tells that it was killed
	[ $? = 137 ]
}

# stopped_at N COMMAND...: whether the command, in the background as $pid, has been stopped at its Nth call; `kill -CONT $pid` lets it go on
stopped_at() {
	n=$1
	shift
	at_call "stop:$n" "$@"
	wait_until $pid grep -qs '^State:.T' /proc/$pid/status
}
