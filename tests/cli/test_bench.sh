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

# The signature is a sum of exact counts; that it is the same everywhere is tested by comparing machines.
run bench --time 0.01 search
code_is "bench search" 0
for what in "nine to depth 12" "nine to depth 14" "one thread" "two threads" speed "stop, 1 thread" "stop, 2 threads"; do
	has "$what" out "$what "
done
equal "the signature is the sum of the nodes" \
	"$(awk '/ depth .* nodes .* score /{ for (i = 2; i <= NF; i++) if ($i == "nodes") sum += $(i - 1) } END { print sum }' "$tmp/out")" \
	"$(sed -n 's/^signature *\([0-9]*\) nodes$/\1/p' "$tmp/out")"

run bench
refused "nothing named" 2 "name one thing to measure"
run bench luck
refused "what cannot be measured" 2 "'luck' cannot be measured"
run bench --time 0 rules
refused "no time" 2 "--time: '0' is no number of seconds"
finish
