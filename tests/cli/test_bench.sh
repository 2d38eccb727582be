# merels bench: says what it ran on and a number for everything. How large the numbers are is not tested.
. "$(dirname "$0")/lib.sh"

run bench --time 0.01 rules
code_is "bench rules" 0
for what in processor compiler flags; do
	has "the $what" out "$what  "
done
for preset in three tapatan nine-holes achi four five six seven nine lasker eleven twelve morabaraba; do
	equal "$preset is measured three times" 3 \
		"$(grep -cE "^(perft|apply\+undo|mill tests) +$preset .* [0-9.]+ million" "$tmp/out")"
done
equal "the flags are those of the build" "" "$(grep 'flags *unknown' "$tmp/out")"
run bench
refused "nothing named" 2 "name one thing to measure"
run bench luck
refused "what cannot be measured" 2 "'luck' cannot be measured"
run bench --time 0 rules
refused "no time" 2 "--time: '0' is no number of seconds"
finish
