# merels rules.
. "$(dirname "$0")/lib.sh"

run rules
code_is "the list" 0
equal "the list has every preset, in the order of the rules" \
	"three tapatan nine-holes achi four five six seven nine lasker eleven twelve morabaraba" \
	"$(awk '{print $1}' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')"
equal "each with its board" "grid9 grid9x grid9 grid9x grid9x ring16 ring16 ring17 ring24 ring24 ring24x ring24x ring24x" \
	"$(awk '{print $2}' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')"
equal "and one sentence" "" "$(awk 'NF < 5 || !/\.$/' "$tmp/out")"
names=$(awk '{print $1}' "$tmp/out")

for name in $names; do
	run rules "$name"
	code_is "rules $name" 0
	for key in men fly move-early mill take take-count stuck full-board repetition no-mill three-men; do
		equal "rules $name has $key once" 1 "$(grep -cE "^[* ] $key  " "$tmp/out")"
	done
done

board() { sed -n '5,/^$/p' "$tmp/out" | sed '/^$/d; s/^    //'; }

run rules nine
equal "ring24 is drawn from its lines" \
"a7----------d7----------g7
|           |           |
|   b6------d6------f6  |
|   |       |       |   |
|   |   c5--d5--e5  |   |
|   |   |       |   |   |
a4--b4--c4      e4--f4--g4
|   |   |       |   |   |
|   |   c3--d3--e3  |   |
|   |       |       |   |
|   b2------d2------f2  |
|           |           |
a1----------d1----------g1" "$(board)"
has "its numbers" out "Board ring24: 24 points, 16 lines, 16 mills, 16 symmetries"
has "what differs from the default is marked" out "* fly         3 (0)"
equal "and nothing else" 1 "$(grep -c '^\* [a-z]* .*(' "$tmp/out")"

has "and said to be" out "* is not the default"

run rules nine,fly=0,no-mill=50
equal "a variation says what it varies" "nine,fly=0,no-mill=50: as nine, but with fly=0,no-mill=50." "$(head -1 "$tmp/out")"
run rules six
equal "where all is the default no mark is explained" "" "$(grep -F '*' "$tmp/out")"

run rules twelve
equal "ring24x has its diagonals" \
'a7----------d7----------g7
| \         |         / |
|   b6------d6------f6  |
|   | \     |     / |   |
|   |   c5--d5--e5  |   |
|   |   |       |   |   |
a4--b4--c4      e4--f4--g4
|   |   |       |   |   |
|   |   c3--d3--e3  |   |
|   | /     |     \ |   |
|   b2------d2------f2  |
| /         |         \ |
a1----------d1----------g1' "$(board)"

run rules tapatan
equal "grid9x has its diagonals" \
'a3----b3----c3
| \   |   / |
|   \ | /   |
a2----b2----c2
|   / | \   |
| /   |   \ |
a1----b1----c1' "$(board)"

run rules seven
equal "ring17 has its cross" \
'a5------c5------e5
|       |       |
|   b4--c4--d4  |
|   |   |   |   |
a3--b3--c3--d3--e3
|   |   |   |   |
|   b2--c2--d2  |
|       |       |
a1------c1------e1' "$(board)"

LC_ALL=C.UTF-8 run rules six
has "lines are drawn with box characters where the terminal has them" out "a5──────c5──────e5"

run rules nine,fly=0,no-mill=50
has "changed parameters" out "nine,fly=0,no-mill=50: "
has "changed parameters" out "* no-mill     50 (100)"
has "a default" out "  fly         0 "
run rules nine,fly=3
has "the canonical name leaves out what the preset has" out "nine: "

run rules ten
refused "an unknown rule set" 2 "no rule set is named \"ten\"; there are three,"
run rules nine,jump=on
refused "an unknown key" 2 "no parameter is named \"jump\""
has "and where it stands" err "column 6"
run rules nine,fly=2
refused "a value outside its range" 2 "found \"2\" for fly, expected 0, or 3 to 24"
run rules nine, 
refused "nothing after the comma" 2 "column 6"
run rules nine six
refused "two rule sets" 2 "found 'six' as well"
finish
