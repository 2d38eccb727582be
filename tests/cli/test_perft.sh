# merels perft.
. "$(dirname "$0")/lib.sh"

while IFS='|' read -r rules counts; do
	depth=0
	for count in $counts; do
		depth=$((depth + 1))
		[ "$depth" -le 4 ] || break
		run perft --rules "${rules% }" --depth "$depth"
		code_is "perft of $rules" 0
		out_is "perft of $rules at depth $depth" "depth $depth: $count"
	done
done <"$source_folder/tests/vectors/perft.txt"

run perft --rules nine --depth 3
equal "the time is the last line of standard error" "" \
	"$(tail -1 "$tmp/err" | grep -vE '^12144 nodes in [0-9.]+ s, [0-9]+ turns per second$')"
run perft --depth 0
out_is "depth 0 is the position itself" "depth 0: 1"
run perft --rules three --depth 2 --divide
out_is "divided" "a1: 8
a2: 8
a3: 8
b1: 8
b2: 8
b3: 8
c1: 8
c2: 8
c3: 8
depth 2: 72"
run perft --rules three --position 'B.W/..W/B.W b 0,1 0 0' --depth 3
out_is "a finished position has no turns" "depth 3: 0"
run perft --depth 5 --rules nine --position '.../.../.../....../.../.../... w 9,9' --divide
equal "the parts add up" 5140800 "$(sed -n 's/^[a-g][1-7]: //p' "$tmp/out" | awk '{s += $1} END {print s}')"

run perft
refused "without a depth" 2 "the option '--depth' is missing"
for depth in -1 x 3x '' 1000000000000 100 +3 ' 3'; do
	run perft --depth "$depth"
	refused "depth '$depth'" 2 "--depth: '$depth' is no whole number from 0 to 99"
done
finish
