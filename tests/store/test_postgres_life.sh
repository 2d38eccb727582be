#!/bin/sh
# A server on PostgreSQL, where one or the other is killed at any moment: everything that was acknowledged is there once and in order.
# First the server is killed, then PostgreSQL, in every way, while the server goes on. Usage: test_postgres_life.sh STORE_LIFE [TIMES]
set -u
. "$(dirname "$0")/postgres.sh"
life=$1
times=${2:-6}

postgres_make
postgres_start
place=$MERELS_TEST_POSTGRES
MERELS_TEST_STORE=$place
export MERELS_TEST_STORE
mkdir "$folder/life"
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; postgres_end' EXIT

check() {
	lines=$("$life" check "$folder/life" "$folder/said" 2>"$folder/errors") || {
		echo "after $1:"
		cat "$folder/errors"
		exit 1
	}
	total=$((total + lines))
}

live() {
	: >"$folder/said"
	"$life" live "$folder/life" >"$folder/said" 2>"$folder/errors" &
	pid=$!
}

end() {
	if ! kill -9 $pid 2>/dev/null; then
		echo "it ended by itself after $1:"
		cat "$folder/errors"
		exit 1
	fi
	wait $pid 2>/dev/null
	pid=
}

# Waits until 70 more lines are said, a minute at most.
await_lines() {
	goal=$(($(wc -l <"$folder/said") + 70))
	tries=0
	while [ "$(wc -l <"$folder/said")" -lt $goal ] && [ $tries -lt 600 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

total=0
time=0
while [ $time -lt "$times" ]; do
	live
	sleep "$(printf '0.%03d' $(((time * 137 + time * time * 7) % 400)))"
	time=$((time + 1))
	end "kill $time"
	check "kill $time"
done
echo "$times kills of the server, $total lines said, all of it true"

# PostgreSQL goes and comes back under it: told to stop, told to stop at once, killed. Nothing may be refused, since it is back in time.
before=$total
live
for signal in INT QUIT KILL; do
	await_lines
	postgres_stop $signal
	postgres_start
done
await_lines
end "PostgreSQL was started again"
check "PostgreSQL was ended three times"
if [ $total -lt $((before + 200)) ]; then
	echo "only $((total - before)) lines were said while PostgreSQL came and went"
	exit 1
fi
echo "PostgreSQL ended 3 times, $((total - before)) lines said, all of it true"
