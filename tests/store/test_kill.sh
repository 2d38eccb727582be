#!/bin/sh
# A server that is killed at any moment: everything it has acknowledged is there once and in order, each end of a game is whole, and
# service time goes on where it stood. Usage: test_kill.sh STORE_LIFE [KILLS]
set -u
life=$1
kills=${2:-100}
folder=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null; rm -rf "$folder"' EXIT

total=0
killed=0
while [ $killed -lt "$kills" ]; do
	# To a file, not a pipe, so that what was said outlives who said it; one that is killed at once has said nothing.
	: >"$folder/said"
	"$life" live "$folder" >"$folder/said" 2>"$folder/errors" &
	pid=$!
	# From the first moment, in which the database is made, to some hundred commits.
	sleep "$(printf '0.%03d' $(((killed * 37 + killed * killed * 7) % 300)))"
	if ! kill -9 $pid 2>/dev/null; then
		echo "it ended by itself after $killed kills:"
		cat "$folder/errors"
		exit 1
	fi
	wait $pid 2>/dev/null
	pid=
	killed=$((killed + 1))
	lines=$("$life" check "$folder" "$folder/said" 2>"$folder/errors") || {
		echo "after kill $killed:"
		cat "$folder/errors"
		exit 1
	}
	total=$((total + lines))
done
# A test that never saw anything acknowledged would have shown nothing.
if [ $total -lt $((kills * 20)) ]; then
	echo "only $total lines were said in $kills lives"
	exit 1
fi
echo "$killed kills, $total lines said, all of it true"
