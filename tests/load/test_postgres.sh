#!/bin/sh
# A server on PostgreSQL under load: it is killed, then PostgreSQL goes and comes back; nothing acknowledged is lost, and all that is
# said agrees. Usage: test_postgres.sh NOLOSS MERELS
set -u
. "$(dirname "$0")/../store/postgres.sh"
noloss=$1
merels=$2

postgres_make
postgres_start
MERELS_STORE=$MERELS_TEST_POSTGRES
export MERELS_STORE
"$noloss" kills 2 || exit 1

mkdir "$folder/web" "$folder/state"
echo page >"$folder/web/index.html"
"$merels" serve --listen 127.0.0.1:0 --data "$folder/state" --web "$folder/web" --address-rate 0 --address-sockets 0 \
	>"$folder/said" 2>"$folder/errors" &
server=$!
trap 'kill -9 $server 2>/dev/null; postgres_end' EXIT
tries=0
until url=$(sed -n 's/.* at \(http[^ ]*\)$/\1/p' "$folder/said") && [ -n "$url" ]; do
	tries=$((tries + 1))
	if [ $tries -gt 600 ]; then
		cat "$folder/errors"
		exit 1
	fi
	sleep 0.1
done
"$merels" load --games 20 --turns 400 --rated 6 --time 6 "$url" >"$folder/report" 2>&1 &
load=$!
for signal in INT KILL; do
	sleep 1
	postgres_stop $signal
	sleep 0.3
	postgres_start
done
wait $load || {
	cat "$folder/report" "$folder/errors"
	exit 1
}
grep -e '^turns' -e '^trouble' -e '^faults' "$folder/report"
kill -TERM $server
wait $server || {
	cat "$folder/errors"
	exit 1
}
