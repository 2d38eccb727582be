#!/bin/sh
# A build that is killed at any moment goes on to the very files of one that was not. Usage: test_kill.sh MERELS [KILLS]
set -u
merels=$1
kills=${2:-50}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
rules=five
build() {
	"$merels" tables build --rules $rules --dir "$1" --metric distance --threads "$2" 2>"$folder/errors"
}
sums() {
	(cd "$1" && cksum -- * | sort -k 3)
}

build "$folder/whole" 2 || { cat "$folder/errors"; exit 1; }
sums "$folder/whole" >"$folder/whole.sums"

killed=0
round=0
while [ $killed -lt "$kills" ]; do
	round=$((round + 1))
	rm -rf "$folder/pieces"
	# Each kill comes a little later than the one before, so that the build gets on.
	delay=1
	while [ $killed -lt "$kills" ] && [ ! -e "$folder/pieces/0-0-5-5.values" ]; do
		"$merels" tables build --rules $rules --dir "$folder/pieces" --metric distance \
			--threads $((1 + killed % 3)) 2>"$folder/errors" &
		pid=$!
		# A thousandth of a second at a time is as fine as sleep goes everywhere.
		sleep "$(printf '0.%03d' $(((delay * 37 + round * 13) % 400 + delay)))"
		if kill -9 $pid 2>/dev/null; then
			killed=$((killed + 1))
		fi
		wait $pid 2>/dev/null
		delay=$((delay + 1))
	done
	build "$folder/pieces" 2 || { cat "$folder/errors"; exit 1; }
	if ! sums "$folder/pieces" | cmp -s - "$folder/whole.sums"; then
		echo "round $round: the files differ after $killed kills"
		sums "$folder/pieces" | diff - "$folder/whole.sums" | head
		exit 1
	fi
done
if ls "$folder/pieces" | grep -q -e journal -e part; then
	echo "something is left behind:"
	ls "$folder/pieces" | grep -e journal -e part
	exit 1
fi
echo "$killed kills in $round builds, the files are the same"
