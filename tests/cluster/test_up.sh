# merels cluster: up, a game through the balancer, stop, and nothing left; what a killed one leaves.
. "$(dirname "$0")/../cli/lib.sh"
unset MERELS_STORE MERELS_BUS MERELS_NODE MERELS_DATA MERELS_LISTEN
TMPDIR=$tmp
export TMPDIR
# Whoever PostgreSQL runs as must get through.
chmod 711 "$tmp"
mkdir "$tmp/web"
echo '<!doctype html><title>Merels</title>' >"$tmp/web/index.html"
up=

end() {
	[ -z "$up" ] || kill -TERM "$up" 2>/dev/null
	wait
	rm -rf "$tmp"
}
trap end EXIT

# up ARGUMENT...: starts a cluster and waits until it says that it is there.
up() {
	# What the last one said is not this one's.
	: >"$tmp/said"
	"$merels" cluster "$@" -- --web "$tmp/web" --address-rate 0 --address-sockets 0 >"$tmp/said" 2>"$tmp/complained" &
	up=$!
	tries=0
	until grep -q '^Open ' "$tmp/said"; do
		tries=$((tries + 1))
		if [ $tries -gt 1200 ] || ! kill -0 $up 2>/dev/null; then
			fail "up $*: it did not come"
			cat "$tmp/said" "$tmp/complained"
			finish
		fi
		sleep 0.1
	done
	url=$(sed -n 's/^Open \([^;]*\);.*/\1/p' "$tmp/said")
	folder=$(sed -n 's/^folder *\([^ ]*\).*/\1/p' "$tmp/said")
	# The table's numbers of processes.
	pieces=$(sed -n 's/^\(postgres\|bus\|n[0-9]\|balancer\) *\([0-9][0-9]*\) .*/\2/p' "$tmp/said")
}

# process NAME: of the table.
process() { sed -n "s/^$1 *\([0-9][0-9]*\) .*/\1/p" "$tmp/said"; }

# gone PROCESS...: waits until none of them runs; a process that has ended and was not waited for runs no more.
gone() {
	tries=0
	while :; do
		left=
		for id; do
			[ -d "/proc/$id" ] && ! grep -q '^State:.[ZX]' "/proc/$id/status" 2>/dev/null && left="$left $id"
		done
		[ -n "$left" ] || return 0
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1
	done
}

# again NAME TIMES: waits until a node was started again so often.
again() {
	tries=0
	until [ "$(grep -c "^$1 runs again" "$tmp/said")" -ge "$2" ] || [ $tries -gt 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

# ready NAME: waits until a node of the club in $tmp/club wants people.
ready() {
	tries=0
	until "$merels" cluster --folder "$tmp/club" status | grep -q "^$1 .* ok$" || [ $tries -gt 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

# play WHAT: games between people through the balancer, all they are told checked.
play() {
	run load --nodes --games 4 --turns 40 --time 2 --watchers 2 "$url"
	code_is "$1" 0
}

# Wrong words.
run cluster
refused "no action" 2 "up, status, drain or stop"
run cluster fly
refused "another action" 2 "not 'fly'"
run cluster up
refused "no number" 2 "how many nodes"
run cluster up 17
refused "too many" 2 "'17' is no number of nodes"
run cluster up 2x
refused "no number of nodes" 2 "1 to 16"
run cluster up 2 3
refused "what is no option of a node" 2 "behind --"
run cluster status
refused "no folder" 2 "--folder"
run cluster --folder "$tmp/none" status
refused "no such cluster" 1 "no cluster runs in this folder"
run cluster --folder "$tmp/none" stop
refused "no such cluster" 1 "no cluster runs in this folder"
run cluster --folder "$tmp/a folder" up 2
refused "a name that nginx would not read" 3 "only letters, digits"

# Missing programs are named, with the packages that have them.
if [ ! -e /usr/local/sbin/nginx ] && [ ! -e /usr/sbin/nginx ]; then
	PATH=$tmp run cluster up 2
	has "nginx is missing" err "nginx-light"
fi

# Up, and stopped from beside it.
up up 2
equal "what runs" "postgres bus n1 n2 balancer" "$(sed -n 's/^\([a-z0-9]*\) *[0-9][0-9]* .*/\1/p' "$tmp/said" | tr '\n' ' ' | sed 's/ $//')"
play "a game through the balancer"
# Two nodes: the players of a table sit at different ones, and watch from both.
run load --games 4 --turns 40 --time 2 --watchers 4 "$(sed -n 's/^n2 .*\(http.*\)/\1/p' "$tmp/said")" "$(sed -n 's/^n1 .*\(http.*\)/\1/p' "$tmp/said")"
code_is "games between two nodes" 0
run cluster --folder "$folder" status
code_is "status" 0
has "status" out "n1 "
has "a node that is well" out "ok"
run cluster --folder "$folder" up 2
refused "a folder in use" 3 "a cluster runs in this folder already"
run cluster --folder "$folder" drain balancer
refused "what is no node" 2 "is no node"
run cluster --folder "$folder" drain n9
refused "a node that is not there" 2 "no node n9 runs"
run cluster --folder "$folder" drain n1
code_is "drain" 0
has "it has ended" out "n1 has handed over its games and ended"
run cluster --folder "$folder" drain n1
refused "a node that has ended" 2 "no node n1 runs"
run cluster --folder "$folder" drain n2
refused "the last node" 1 "no other node is there"
run cluster --folder "$folder" stop
code_is "stop" 0
wait $up
equal "up ends well" 0 $?
up=
gone $pieces && pass || fail "after the end there are still:$left"
[ ! -e "$folder" ] && pass || fail "the folder is still there: $folder"

# In a folder that stays, what was there is there again.
up --folder "$tmp/club" up 2
[ -s "$tmp/club/postgres/data/PG_VERSION" ] && pass || fail "the database is not in the folder"
kill -TERM $up
wait $up
equal "SIGTERM ends it well" 0 $?
up=
gone $pieces && pass || fail "after SIGTERM there are still:$left"
up --folder "$tmp/club" --restart up 2
kill -9 "$(process n1)"
again n1 1
has "a node that died is told of" said "n1 has ended: signal 9; it is started again"
has "and is started again" said "n1 runs again"

# A node that is drained comes back as well: so all are renewed, one after the other, as soon as the last one is there.
# Who plays meanwhile comes back at once, for the balancer gives sockets to a node from the moment it is there again.
ready n1
"$merels" load --nodes --restarts --games 4 --turns 40 --time 6 "$url" >"$tmp/load" 2>&1 &
load=$!
sleep 1
run cluster --folder "$tmp/club" drain n2
code_is "drain with --restart" 0
again n2 1
has "a drained node is started again" said "n2 runs again"
ready n2
run cluster --folder "$tmp/club" drain n1
code_is "drain of the other node" 0
again n1 2
wait $load
equal "nobody who plays is told anything wrong" 0 $?
grep "no live upstreams" "$tmp/club/log/balancer" | grep -q api/v1/socket && fail "the balancer gave no node for a socket" || pass
pieces="$pieces $(sed -n 's/^n[12] runs again, as process //p' "$tmp/said")"

# Killed: everything ends with it, also a node that is paused.
kill -STOP "$(sed -n 's/^n1 runs again, as process //p' "$tmp/said" | tail -n 1)"
kill -9 $up
wait $up 2>/dev/null
up=
gone $pieces && pass || fail "after kill -9 there are still:$left"
run cluster --folder "$tmp/club" status
code_is "status of one that was killed" 1
has "it says what has become of it" out "has ended"
up --folder "$tmp/club" up 2
play "a game where one was killed"
kill -INT $up
wait $up
equal "SIGINT ends it well" 0 $?
up=
gone $pieces && pass || fail "after SIGINT there are still:$left"
finish
