#!/bin/sh
# Runs programs, one after another, with a PostgreSQL of their own: MERELS_TEST_POSTGRES is its place, as
# mrl_store_open() takes it, MERELS_TEST_CLUSTER the folder it is in. It listens on a socket in that folder and nowhere else, and is
# stopped by its process id. MERELS_TEST_FSYNC=on has it sync, for tests in which it is killed.
set -u
bin=
for candidate in /usr/lib/postgresql/*/bin; do
	[ -x "$candidate/initdb" ] && bin=$candidate
done
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo /nowhere/initdb)")
[ -x "$bin/postgres" ] || {
	echo "PostgreSQL is not installed (Debian: postgresql)"
	exit 1
}

# A short name, for the name of a socket may not be long.
folder=$(mktemp -d /tmp/merels-pg-XXXXXX)
as=
if [ "$(id -u)" -eq 0 ]; then
	# PostgreSQL does not run as root.
	as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
	chown nobody:nogroup "$folder"
fi
pid=
trap 'stop; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# shellcheck disable=SC2086 # $as is a command line
start() {
	$as "$bin/postgres" -D "$folder/data" -k "$folder" -h '' -c shared_buffers=16MB -c max_connections=60 \
		-c fsync="${MERELS_TEST_FSYNC-off}" -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off \
		-c timezone=UTC >>"$folder/log" 2>&1 &
	pid=$!
	tries=0
	until "$bin/pg_isready" -q -h "$folder" -U merels; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! kill -0 $pid 2>/dev/null; then
			cat "$folder/log"
			exit 1
		fi
		sleep 0.1
	done
}

stop() {
	[ -n "$pid" ] || return 0
	kill -INT "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
}

# shellcheck disable=SC2086
(cd "$folder" && $as "$bin/initdb" -D "$folder/data" -U merels -A trust -N -E UTF8 --locale=C >"$folder/log" 2>&1) || {
	cat "$folder/log"
	exit 1
}
start
MERELS_TEST_CLUSTER=$folder
MERELS_TEST_POSTGRES="postgres:host=$folder user=merels dbname=postgres"
export MERELS_TEST_CLUSTER MERELS_TEST_POSTGRES

status=0
for command; do
	"$command" || {
		status=1
		echo "failed: $command"
	}
done
exit $status
