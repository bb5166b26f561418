#!/bin/sh
# The command line from outside: streams, statuses, completion.
. "$(dirname "$0")/../tap.sh"
plan 22

status 0 "$lycosa" graph generate --nodes 3000 --write-urls web.urls web.txt
result $? "a graph is generated"

status 0 "$lycosa" --help && status 0 "$lycosa" rank --help && status 0 "$lycosa" help graph info &&
	status 0 "$lycosa" rank --graph web.txt --version && status 0 "$lycosa" --version &&
	grep -q '^lycosa [0-9]' results
result $? "--help and --version are everywhere"

status 2 "$lycosa" && status 2 "$lycosa" rank && status 2 "$lycosa" rank --graph web.txt --tpo 3 &&
	grep -q "^lycosa: unknown flag '--tpo'; the nearest is '--top'$" errors &&
	[ "$(wc -l <errors)" -eq 1 ] && [ ! -s results ]
result $? "wrong usage is status 2, told once, on stderr"

"$lycosa" 2>errors >results
[ $? -eq 2 ] && [ ! -s results ] && grep -q '^  crawl  ' errors && grep -q '^lycosa: lycosa needs a verb$' errors
result $? "lycosa alone tells its verbs on stderr, with status 2"

status 0 "$lycosa" rank web.txt --by indegree --top 1 && cp results noun &&
	status 0 "$lycosa" rank --graph web.txt --by indegree --top 1 && cmp noun results &&
	status 0 "$lycosa" graph convert web.txt --to csr web.csr && status 0 "$lycosa" graph info web.csr &&
	status 2 "$lycosa" rank web.txt web.txt && status 2 "$lycosa" rank --graph web.txt web.txt
result $? "the graph can be named without its flag"

status 0 "$lycosa" rank web.txt --top 1k --no-top --all --no-all && [ "$(grep -vc '^#' results)" -eq 21 ] &&
	status 0 "$lycosa" rank --help=all && grep -q '^  --tol E .*PageRank stops' results
result $? "--no-NAME takes a flag back, and --help=all tells each in a line"

status 3 "$lycosa" rank --graph nowhere.txt && grep -q "^lycosa: .*nowhere.txt" errors
result $? "a file that is not there is status 3, and named"

{
	"$lycosa" rank --graph web.txt --all 2>problem
	echo $? >left
} | head -n 1 >results
[ "$(cat left)" -eq 0 ] && [ ! -s problem ] && [ "$(wc -l <results)" -eq 1 ]
result $? "a reader that goes early is no error"

{
	"$lycosa" graph verify web.txt nowhere.txt 2>errors
	echo $? >left
} | true
[ "$(cat left)" -eq 3 ] && grep -q "cannot open 'nowhere.txt'" errors || cat left errors >problem
verdict "but what is wrong beside it is told to nobody less"

# results that nobody can get are no success, of whatever verb and in either form
: >problem
lost() {
	"$lycosa" "$@" >&- 2>errors </dev/null
	got=$?
	[ $got -eq 3 ] && [ "$(wc -l <errors)" -eq 1 ] && grep -q '^lycosa: cannot write ' errors || { echo "status $got: $*"; cat errors; } >>problem
}
echo http://a.test/ >one.url
for form in "" --json; do
	for verb in "rank web.txt --all" "graph info web.txt" "replay web.txt --seeds roots" "compare web.txt --seeds roots --policies bfs" \
		"seeds web.txt --method outdegree --count 2" "coverage web.txt --seeds roots --hops 1" "list policies"; do
		lost $verb $form
	done
done
lost --help
lost --version
lost rank --help=all
lost completion bash
lost replay web.txt --seeds roots --order -
lost replay web.txt --seeds roots --order /dev/stdout
lost graph convert web.txt -
lost crawl http://127.0.0.1:9/ --print-config
verdict "a closed stdout is an error"
status 3 sh -c "'$lycosa' parse url canon <&-" && status 3 sh -c "'$lycosa' graph info - <&-"
result $? "and so is a closed stdin"

full() {
	"$lycosa" "$@" >/dev/full 2>errors
	[ $? -eq 3 ] && grep -q '^lycosa: cannot write' errors && return 0
	{ echo "$*"; cat errors; } >problem
	return 1
}
if [ -w /dev/full ]; then
	full rank --graph web.txt --all && full rank --graph web.txt --top 1 &&
		full rank --graph web.txt --all --json && full rank --help && full list policies
	result $? "a full disk is status 3"
else
	skip "a full disk is status 3" "no /dev/full"
fi

for threads in 1 2 7; do
	"$lycosa" rank --graph web.txt --all --threads $threads >rank.$threads 2>>problem
done
[ -s rank.1 ] && cmp rank.1 rank.2 >>problem && cmp rank.1 rank.7 >>problem
result $? "threads do not change a result"

status 0 "$lycosa" rank --graph web.txt --top 3 && ! grep -q second results &&
	grep -v '^#' results | awk -F '\t' '
	NR == 1 && ($1 != "id" || $2 != "pagerank" || $3 != "url") { exit 1 }
	NR > 1 && ($1 !~ /^[0-9]+$/ || $2 !~ /^[0-9.e-]+$/ || $3 !~ /^http:/) { exit 1 }
	END { if (NR != 4) exit 1 }'
result $? "a ranking has a header row, and no times"

for n in 1 2 50 3000; do
	"$lycosa" rank --graph web.txt --by indegree --all | grep -v '^[#i]' |
		sort -k 2,2nr -k 1,1n | head -n $n >sorted
	"$lycosa" rank --graph web.txt --by indegree --top $n | grep -v '^[#i]' >best
	cmp sorted best >>problem 2>&1
done
[ ! -s problem ] && [ "$(wc -l <best)" -eq 3000 ]
result $? "the best are those that sorting finds"

printf '0 1\n0 2\n1 0\n2 2\n2 3\n3 0\n' >small.txt
printf 'a.example.org\nb.example.org\nx.co.uk\ny.co.uk\n' >small.hosts
pruned() { "$lycosa" graph prune --graph small.txt --within "$1" - | grep -v '^#' | tr '\t\n' '  '; }
{ pruned host && pruned domain; } >results 2>problem
[ "$(cat results)" = "0 1 0 2 1 0 2 3 3 0 0 2 2 3 3 0 " ] || cp results problem
[ ! -s problem ]
result $? "prune drops the links within a host, or a domain"

for old in "prune --by host" "subgraph --nodes random:0.5" "relabel --by url" "relabel --order ids"; do
	printf '0\n1\n' >ids
	# shellcheck disable=SC2086 # words
	"$lycosa" graph $old small.txt old.txt --urls web.urls 2>errors
	[ $? = 0 ] && [ "$(grep -c 'is now called' errors)" = 1 ] || { echo "$old"; cat errors; } >>problem
	# shellcheck disable=SC2086 # words
	new=$(echo "$old" | sed 's/prune --by/prune --within/; s/--nodes/--select/; s/relabel --by/relabel --sort/; s/--order/--order-from/')
	"$lycosa" graph $new small.txt new.txt --urls web.urls 2>errors && [ ! -s errors ] && cmp old.txt new.txt >>problem 2>&1
done
verdict "names that had two meanings still work, and say what they are called now"

serve --graph web.txt
kill -INT "$server" && wait "$server"
result $? "serve ends at SIGINT with status 0"

# a verb that takes long ends at once
mkfifo arcs
"$lycosa" rank --graph - <arcs >results 2>problem &
pid=$!
exec 3>arcs
# the shell that becomes the verb catches the signal, too, and forgets it
catches_term() { grep -q '^Name:.*lycosa' /proc/$pid/status && grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$pid/status; }
wait_until $pid catches_term
kill -TERM $pid
wait $pid
[ $? -eq 130 ] && [ ! -s problem ]
result $? "another verb that is interrupted is status 130"
exec 3>&-

# completed WORD...: what the last word may become
completed() {
	bash -c '. ./lycosa.bash; COMP_WORDS=(lycosa "$@"); COMP_CWORD=$#; _lycosa
		echo ${COMPREPLY[*]}' bash "$@"
}

if command -v bash >/dev/null; then
	"$lycosa" completion bash >lycosa.bash 2>problem
	[ "$(completed gra)" = graph ] && [ "$(completed graph con)" = convert ] &&
		[ "$(completed rank --to)" = "--top --to --total --tol" ] &&
		[ "$(completed rank --by pa)" = pagerank ] && [ "$(completed rank --by = pa)" = pagerank ] &&
		[ -z "$(completed rank --graph x)" ] && [ -z "$(completed help li)" ] &&
		completed graph convert --to '' | grep -q edges &&
		completed parse robots '' | grep -q check
	result $? "bash completes verbs, flags and words"
else
	skip "bash completes verbs, flags and words" "no bash"
fi

# fished TEXT: what fish makes of a line
fished() {
	HOME=$PWD fish --no-config -c 'source lycosa.fish; complete -C $argv[1]' "$1" | cut -f 1 | tr '\n' ' '
}
if command -v fish >/dev/null; then
	"$lycosa" completion fish >lycosa.fish 2>problem
	{
		[ "$(fished 'lycosa gra')" = 'graph ' ] || fished 'lycosa gra'
		[ "$(fished 'lycosa graph con')" = 'convert ' ] || fished 'lycosa graph con'
		[ "$(fished 'lycosa rank --to')" = '--to --tol --top --total ' ] || fished 'lycosa rank --to'
		[ "$(fished 'lycosa rank --by pa')" = 'pagerank ' ] || fished 'lycosa rank --by pa'
		[ "$(fished 'lycosa crawl --policy ie')" = 'ieca ' ] || fished 'lycosa crawl --policy ie'
		fished 'lycosa crawl --level' | grep -e '^--level' -e ' --level' # a flag of wget; fish 4 offers --warc-level
	} >>problem 2>&1
	verdict "fish completes verbs, flags and words"
else
	skip "fish completes verbs, flags and words" "no fish"
fi

# zshed TEXT: what an interactive zsh makes of a line and a TAB
zshed() {
	python3 zshed.py "$1"
}
if command -v zsh >/dev/null && command -v python3 >/dev/null; then
	"$lycosa" completion zsh >_lycosa 2>problem
	cat >zshed.rc <<'EOF'
fpath=($PWD $fpath)
autoload -Uz compinit
compinit -u -D
report() { print -r "<$BUFFER>"; BUFFER=; zle accept-line }
zle -N report
bindkey '^X' report
EOF
	cat >zshed.py <<'EOF'
import os, pty, re, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", HOME=os.getcwd(), PS1="")
    os.execvp("zsh", ["zsh", "-f", "-i"])
def read_until(mark, seconds=600): # which the test does not have
    text, end = b"", time.time() + seconds
    while not re.search(mark, text) and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                text += os.read(fd, 4096)
            except OSError:
                break
    return text
os.write(fd, b". ./zshed.rc; print is-$((2 + 3))\n")
read_until(rb"is-5")
os.write(fd, sys.argv[1].encode() + b"\t\x18")
found = re.findall(rb"<([^>\r\n]*)>", read_until(rb"<[^>]*>"))
print(found[-1].decode() if found else "nothing")
os.close(fd)
EOF
	# whole TEXT LINE
	whole() {
		[ "$(zshed "$1")" = "$2" ] || echo "$1: $(zshed "$1")"
	}
	{
		whole 'lycosa gra' 'lycosa graph '
		whole 'lycosa graph conv' 'lycosa graph convert '
		whole 'lycosa rank --by pa' 'lycosa rank --by pagerank '
		whole 'lycosa rank --by=pa' 'lycosa rank --by=pagerank '
		whole 'lycosa crawl --allow-p' 'lycosa crawl --allow-private '
	} >>problem 2>&1
	verdict "zsh completes verbs, flags and words"
else
	skip "zsh completes verbs, flags and words" "no zsh, or no python3"
fi
