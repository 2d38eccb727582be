#!/bin/sh
# Runs programs, one after another, with a PostgreSQL of their own; fails when one does.
set -u
. "$(dirname "$0")/postgres.sh"

postgres_make
postgres_start -c fsync=off
status=0
for program; do
	"$program" || {
		status=1
		echo "failed: $program"
	}
done
exit $status
