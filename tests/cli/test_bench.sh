# merels bench: says what it ran on and a number for everything. How large the numbers are is not tested.
. "$(dirname "$0")/lib.sh"

run bench --help
equal "the usage of endings goes on in a line of its own" "                    [--helped] [--endings FOLDER] endings" "$(grep -e "FOLDER. endings$" "$tmp/out")"

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

# Against exact tables: what is there is measured, what is not is skipped with a word.
"$merels" tables build --rules four --dir "$tmp/tables/four" --metric distance >/dev/null 2>&1 || exit 1
"$merels" tables build --rules nine,men=4 --dir "$tmp/tables/nine,men=4" --metric distance >/dev/null 2>&1 || exit 1
run bench --dir "$tmp/tables" --rules four --rules six --positions 50 accuracy
code_is "bench accuracy" 0
has "how many positions there are" out "four: 50 positions of random games that the tables know; in "
for nodes in 1000 10000 100000; do
	equal "shares at $nodes nodes" 1 \
		"$(grep -cE "^ +$nodes +[0-9]+ +[0-9]+ +[0-9.]+ % +[0-9.]+ %$" "$tmp/out")"
done
has "no tables" out "six: skipped, for its tables cannot be had: $tmp/tables/six"
(cd "$tmp" && mkdir none && cd none && "$merels" bench accuracy >"$tmp/out" 2>"$tmp/err")
equal "six and nine are measured without --rules" "six nine" "$(sed -n 's/: skipped.*//p' "$tmp/out" | xargs)"
run bench --dir "$tmp/nowhere" accuracy
refused "no folder" 3 "--dir: there is no folder '$tmp/nowhere'"
run bench --rules sixty accuracy
refused "no rule set" 2 "sixty"
run bench --positions 0 accuracy
refused "no positions" 2 "--positions"
for file in "$tmp/tables/four"/*; do
	printf 'damaged' >"$file"
done
run bench --dir "$tmp/tables" --rules four --positions 5 accuracy
code_is "damaged tables" 0
has "damaged tables are skipped" out "four: skipped, for its tables cannot be had: $tmp/tables/four/"

run bench --dir "$tmp/tables" --rules nine,men=4 --positions 5 --nodes 2000 --men 3-3 endings
code_is "bench endings" 0
has "how many endings are won" out "nine,men=4: 3 against 3, 2000 nodes a turn: "
run bench --dir "$tmp/tables" --rules nine,men=4 --positions 5 --nodes 2000 --men 3-3 --helped endings
has "with values nothing is given away" out ", 0 given away"
"$merels" tables build --rules nine,men=4 --endings 3-3 --dir "$tmp/own" >/dev/null 2>&1
run bench --dir "$tmp/tables" --rules nine,men=4 --positions 5 --nodes 20 --men 3-3 --endings "$tmp/own" endings
has "with tables of its own it wins all" out ": 5 of 5 won"
run bench --dir "$tmp/tables" --rules nine,men=4 --men 3-3 --endings "$tmp/none" endings
has "tables of its own that are not there" out "skipped: $tmp/none/"
run bench --dir "$tmp/tables" --rules nine,men=4 --men 9-9 endings
has "more men than there are" out "nine,men=4: 9 against 9: there are not so many men"
run bench --men 4 endings
refused "no pair of numbers" 2 "--men: '4' is not OWN-ENEMY"

run bench
refused "nothing named" 2 "name one thing to measure"
run bench luck
refused "what cannot be measured" 2 "'luck' cannot be measured"
run bench --time 0 rules
refused "no time" 2 "--time: '0' is no number of seconds"
finish
