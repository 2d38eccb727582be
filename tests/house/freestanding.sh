# shellcheck shell=sh
# freestanding.sh ROOT COMPILER FLAG...
#
# Builds the rooms that must do without a libc: no header but the compiler's own is there, and what the objects need
# from outside is memcpy, memset and memcmp at most. So there is no malloc in them, no input and no output.
set -eu
root=$1 compiler=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

own=$("$compiler" -print-file-name=include)
[ -e "$own/stddef.h" ] || {
	echo "$compiler does not say where its own headers are"
	exit 1
}

count=0
for room in rules notation search play; do
	for source in "$root/src/$room"/*.c; do
		"$compiler" -std=c17 -O1 -ffreestanding -nostdinc -isystem "$own" -fno-pic "$@" \
			-I"$root/include" -I"$root/src/$room" -c "$source" -o "$work/$room-$(basename "$source" .c).o"
		count=$((count + 1))
	done
done

nm -P "$work"/*.o | awk '$2 == "U" { print $1 }' | sort -u >"$work/needed"
nm -P "$work"/*.o | awk '$2 ~ /^[A-TV-Z]$/ { print $1 }' | sort -u >"$work/had"
outside=$(comm -23 "$work/needed" "$work/had" | grep -vx -e memcpy -e memset -e memcmp || true)
if [ -n "$outside" ]; then
	echo "Needed from outside, and must not be:"
	nm -A -P "$work"/*.o | grep -w -F "$outside" | grep ' U ' | sed "s|$work/||"
	exit 1
fi
echo "$count sources without a libc"
