# What docs/DEPLOY.md says of a standby: the primary is lost for good under load, the standby is promoted, and the server goes on with
# it; nothing acknowledged is lost. Usage: test_standby.sh MERELS
set -u
. "$(dirname "$0")/../store/postgres.sh"
merels=$1
unset MERELS_STORE MERELS_BUS MERELS_NODE
standby=
server=
load=

fail() {
	echo "FAILED: $*"
	tail -n 20 "$folder/errors" "$folder/log" "$folder/report" 2>/dev/null
	exit 1
}

end_all() {
	for id in $load $server $standby; do
		kill -9 "$id" 2>/dev/null
	done
	postgres_end
}

# until WHAT COMMAND...: waits until it succeeds.
until_() {
	what=$1
	shift
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || fail "$what"
		sleep 0.1
	done
}

postgres_make
trap end_all EXIT
replication="-c wal_level=replica -c max_wal_senders=4"
# shellcheck disable=SC2086 # a list of words
postgres_start $replication
mkdir "$folder/second"
[ -z "$as" ] || chown nobody:nogroup "$folder/second"
# shellcheck disable=SC2086
$as "$bin/pg_basebackup" -h "$folder" -U merels -D "$folder/copy" -R -X stream -C -S standby1 >>"$folder/log" 2>&1 ||
	fail "pg_basebackup"
# shellcheck disable=SC2086
$as "$bin/postgres" -D "$folder/copy" -k "$folder/second" -h '' -c shared_buffers=16MB -c max_connections=60 $replication \
	>>"$folder/log" 2>&1 &
standby=$!
until_ "the standby does not come" "$bin/pg_isready" -q -h "$folder/second" -U merels
# From now on a turn is acknowledged when both have it.
postgres_tell "ALTER SYSTEM SET synchronous_standby_names = '*'" || fail "ALTER SYSTEM"
postgres_tell "SELECT pg_reload_conf()" >/dev/null
follows() { [ "$(postgres_tell "SELECT sync_state FROM pg_stat_replication")" = sync ]; }
until_ "the standby does not follow" follows

mkdir "$folder/web"
echo page >"$folder/web/index.html"
"$merels" serve --listen 127.0.0.1:0 --data "$folder/state" --web "$folder/web" --address-rate 0 --address-sockets 0 \
	--store "postgres:host=$folder,$folder/second user=merels dbname=postgres target_session_attrs=read-write" \
	>"$folder/said" 2>"$folder/errors" &
server=$!
listens() { url=$(sed -n 's/.* at \(http[^ ]*\)$/\1/p' "$folder/said") && [ -n "$url" ]; }
until_ "the server does not come" listens
"$merels" load --games 20 --turns 200 --rated 4 --time 12 --restarts "$url" >"$folder/report" 2>&1 &
load=$!
plays() { [ "$(postgres_tell "SELECT count(*) > 200 FROM events")" = t ]; }
until_ "nobody plays" plays
# It and its disk are gone.
postgres_stop KILL
rm -rf "$folder/data"
sleep 1
# shellcheck disable=SC2086
$as "$bin/pg_ctl" -D "$folder/copy" promote >>"$folder/log" 2>&1 || fail "promote"
# There is no standby now; who waits for one waits for ever.
promoted() {
	"$bin/psql" -XqAt -h "$folder/second" -U merels postgres -c "ALTER SYSTEM SET synchronous_standby_names = ''" &&
		"$bin/psql" -XqAt -h "$folder/second" -U merels postgres -c "SELECT pg_reload_conf()" >/dev/null
} 2>/dev/null
until_ "the standby was not promoted" promoted
wait $load || fail "the load was told something wrong"
load=
grep -e '^turns' -e '^trouble' -e '^faults' "$folder/report"
kill -TERM $server
wait $server || fail "the server"
server=
kill -INT $standby
wait $standby
standby=
echo good
