# For scripts that need a PostgreSQL of their own, to be read in with `.`: `postgres_make` makes one in a new folder
# $folder, `postgres_start` starts it, with more arguments if there are any, and `postgres_stop [SIGNAL]` ends it by its process id. It
# listens on a socket in that folder and nowhere else; $MERELS_TEST_POSTGRES is its place, as mrl_store_open() takes it. All of it goes
# away when the script ends.
bin=
for candidate in /usr/lib/postgresql/*/bin; do
	[ -x "$candidate/initdb" ] && bin=$candidate
done
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb || echo /nowhere/initdb)")
[ -x "$bin/postgres" ] || {
	echo "PostgreSQL is not installed (Debian: postgresql)"
	exit 1
}
as=
if [ "$(id -u)" -eq 0 ]; then
	# PostgreSQL does not run as root.
	as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
fi
postgres=

postgres_make() {
	# A short name, for the name of a socket may not be long.
	folder=$(mktemp -d /tmp/merels-pg-XXXXXX)
	[ -z "$as" ] || chown nobody:nogroup "$folder"
	trap 'postgres_end' EXIT
	trap 'exit 130' INT TERM
	# shellcheck disable=SC2086 # $as is a command line
	(cd "$folder" && $as "$bin/initdb" -D "$folder/data" -U merels -A trust -N -E UTF8 --locale=C >"$folder/log" 2>&1) || {
		cat "$folder/log"
		exit 1
	}
	MERELS_TEST_POSTGRES="postgres:host=$folder user=merels dbname=postgres"
	export MERELS_TEST_POSTGRES
}

postgres_start() {
	tries=0
	until [ -n "$postgres" ] && "$bin/pg_isready" -q -h "$folder" -U merels; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ]; then
			tail -n 20 "$folder/log"
			exit 1
		fi
		# One that was killed leaves children that take a moment to notice; until then it does not start again.
		if [ -z "$postgres" ] || ! kill -0 "$postgres" 2>/dev/null; then
			# shellcheck disable=SC2086
			$as "$bin/postgres" -D "$folder/data" -k "$folder" -h '' -c shared_buffers=16MB -c max_connections=60 \
				-c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off -c timezone=UTC "$@" \
				>>"$folder/log" 2>&1 &
			postgres=$!
		fi
		sleep 0.05
	done
}

# Waits until it is gone, with all its processes.
postgres_stop() {
	[ -n "$postgres" ] || return 0
	kill "-${1-INT}" "$postgres" 2>/dev/null
	wait "$postgres" 2>/dev/null
	postgres=
}

postgres_tell() {
	"$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$folder" -U merels postgres -c "$1"
}

postgres_end() {
	postgres_stop
	rm -rf "$folder"
}
