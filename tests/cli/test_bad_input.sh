# Bad input of every kind gets its own clear message, and nothing of it ends in a crash or a wrong answer.
. "$(dirname "$0")/lib.sh"

position() {
	run legal --rules nine --position "$2"
	refused "$1" 1 "merels legal: --position: "
	has "$1" err "$3"
}

position "25 men" 'WWW/WWW/WWW/WWWWWW/BBB/BBB/BBBB w 0,0 0 0' "column"
position "more men than the rule set has" 'WWW/WWW/WWW/W...../.../.../BBB w 0,0 0 0' "10"
position "a negative hand" '.../.../.../....../.../.../... w -1,9 0 0' "White cannot have a negative number of men in hand"
position "a hand without end" '.../.../.../....../.../.../... w 99999999999999999999,9 0 0' "column"
position "more in hand than there are" '.../.../.../....../.../.../... w 10,10 0 0' "10"
position "hands that do not fit the side" '.../.../.../....../.../.../... w 9,8 0 0' "hand"
position "an unknown letter" 'X../.../.../....../.../.../... w 9,9 0 0' "column 1"
position "a rank too short" '../.../.../....../.../.../... w 9,9 0 0' "too few points in rank 7: expected 3, found 2"
position "a rank too long" '..../.../.../....../.../.../... w 9,9 0 0' "too many points in rank 7: expected 3, found 4"
position "another board" '.../.../... w 3,3 0 0' "column"
position "a side that is none" '.../.../.../....../.../.../... x 9,9 0 0' "column 32: "
position "a counter that is none" '.../.../.../....../.../.../... w 9,9 x 0' "column 38: "
position "something behind the end" '.../.../.../....../.../.../... w 9,9 0 0 0' "column"
position "nothing" '' "column 1"
position "a tab and an escape" "$(printf 'W..\t\033[31m')" "column"
equal "no control character reaches the terminal" "" "$(tr -d '\n' <"$tmp/err" | LC_ALL=C tr -d ' -~')"

run legal --rules nine,colour=red
refused "an unknown key" 2 "merels legal: --rules: column 6: no parameter is named \"colour\""
run legal --rules nine,fly
refused "a key without a value" 2 "--rules: column"
run legal --rules nine,men=25
refused "a value outside its range" 2 "expected 3 to 24"
run legal --rules ''
refused "no name" 2 "--rules: column 1: no rule set is named"
run legal --rules "$(printf '%01000d' 0)"
refused "a name without end" 2 "no rule set is named"

for seconds in '' 0 -1 +1 ' 1' 1s 0x10 1e1 inf nan 1.2.3 3601 99999999999999999999; do
	run play --plain --time "$seconds"
	refused "'$seconds' as seconds" 2 "--time: '$seconds' is no number of seconds from 0.01 to 3600"
done

# Turns.
for turn in x 'xa1' 'd6-' '-d6' 'd6-d6' 'd6xx' 'd66' 'h1' 'a0' 'd6xd6' "$(printf 'd6\001')" "$(printf '%02000d' 0)"; do
	run replay -- "$turn"
	code_is "the turn $(printf '%.8s' "$turn")" 1
	has "the turn $(printf '%.8s' "$turn")" err "merels replay: turn 1"
	quiet "the turn" out
done
run replay -- "$(printf '%010000d' 0)"
equal "a turn of 10 kB is not repeated in the message" true "$([ "$(wc -c <"$tmp/err")" -lt 200 ] && echo true)"
for escape in "replay $(printf 'd6\033[31m')" "check $(printf '/no\033[31m')" "legal $(printf -- '--\033[31m')" \
	"$(printf 'x\033[31m')"; do
	# shellcheck disable=SC2086 # a command and its argument
	run $escape
	equal "no control character of an argument reaches the terminal" "" "$(tr -d '\n' <"$tmp/err" | tr -d ' -~')"
done
run replay --position 'W../W../.../....../B../B../B.. w 0,0 0 0' a7-a4
refused "a turn in a two-men position" 1 "the game is over"

# Files.
printf 'd6 f4 d\0002' >"$tmp/nul"
"$merels" replay - <"$tmp/nul" >"$tmp/out" 2>"$tmp/err"
code=$?
refused "a NUL byte among the turns" 1 "line 1, column"
printf 'three | 9 72\0\n' >"$tmp/nul"
run vectors "$tmp/nul"
code_is "a NUL byte in a file of vectors" 1
equal "a NUL byte in a file of vectors" "0 passed, 1 failed" "$(tail -1 "$tmp/out" | tr -d '\000')"
head -c 10000000 /dev/zero | tr '\0' 'd' >"$tmp/long"
"$merels" replay - <"$tmp/long" >"$tmp/out" 2>"$tmp/err"
code=$?
refused "a line of 10 MB" 1 "line 1, column 1"
equal "is not repeated in the message" true "$([ "$(wc -c <"$tmp/err")" -lt 600 ] && echo true)"
run vectors "$tmp/long"
code_is "a line of 10 MB in a file of vectors" 1
"$merels" play --plain <"$tmp/long" >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "a line of 10 MB in a game" 1
has "a line of 10 MB in a game" err "a line is longer than"
run vectors /nonexistent/file
refused "a file that is not there" 3 "there is no such file"
"$merels" replay - </ >"$tmp/out" 2>"$tmp/err"
code=$?
refused "a directory as standard input" 3 "standard input: cannot be read: it is a directory, not a file"
"$merels" replay - <&- >"$tmp/out" 2>"$tmp/err"
code=$?
refused "no standard input at all" 3 "standard input: cannot be read"

# Output.
if [ -c /dev/full ]; then
	"$merels" rules >/dev/full 2>"$tmp/err"
	code=$?
	code_is "a full disk" 3
	has "a full disk" err "merels: cannot write the output: "
else
	fail "/dev/full is missing, a full disk cannot be tested"
fi
for i in 1 2 3 4 5 6 7 8; do
	for turn in b4 d6 g4 g1 d7 b6 d1 d5 e3 d3 a7 b2 a4 g7 c5 f2 f4 new; do
		for again in 1 2 3 4 5 6 7 8; do echo board; done
		echo "$turn"
	done
done >"$tmp/many"
{ "$merels" play --plain --black human <"$tmp/many" 2>"$tmp/err"; } | head -1 >"$tmp/out"
quiet "a reader that has heard enough" err
{ "$merels" perft --rules nine --depth 3 --divide 2>"$tmp/err"; } | head -1 >"$tmp/out"
equal "the first line of many" "a1: 506" "$(cat "$tmp/out")"
finish
