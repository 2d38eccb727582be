#!/bin/sh
# A PostgreSQL whose disk is really full, and has room again later. Needs to be root, for a small disk in memory; ends with 77 when
# there can be none. Usage: test_postgres_full.sh STORE_LIFE
set -u
. "$(dirname "$0")/postgres.sh"
life=$1

postgres_make
mkdir "$folder/small" "$folder/life"
if ! mount -t tmpfs -o size=12m tmpfs "$folder/small" 2>/dev/null; then
	echo "left out: no disk in memory can be mounted here"
	exit 77
fi
trap 'postgres_stop; umount "$folder/small"; postgres_end' EXIT
# Only what is kept is on the small disk: a log that cannot be written would end PostgreSQL as a whole.
mkdir "$folder/small/space"
[ -z "$as" ] || chown -R nobody:nogroup "$folder/small"
postgres_start -c fsync=off
postgres_tell "CREATE TABLESPACE small LOCATION '$folder/small/space'"
head -c 6000000 /dev/zero >"$folder/small/ballast"
MERELS_TEST_STORE="$MERELS_TEST_POSTGRES options=-cdefault_tablespace=small"
export MERELS_TEST_STORE
"$life" fill "$folder/life" "$folder/small/ballast"
