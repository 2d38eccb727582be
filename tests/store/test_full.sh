#!/bin/sh
# A disk that is really full, and has room again later. Needs to be root, for a small disk in memory; ends with 77 when there can be none.
# Usage: test_full.sh STORE_LIFE
set -u
life=$1
folder=$(mktemp -d)
if ! mount -t tmpfs -o size=10m tmpfs "$folder" 2>/dev/null; then
	rmdir "$folder"
	echo "left out: no disk in memory can be mounted here"
	exit 77
fi
trap 'umount "$folder"; rmdir "$folder"' EXIT

head -c 6000000 /dev/zero >"$folder/ballast"
"$life" fill "$folder" "$folder/ballast"
