# merels replay.
. "$(dirname "$0")/lib.sh"

run replay --rules three c2 a3 c3 a1 c1
code_is "a whole game" 0
out_is "position, result and reason" "B.W/..W/B.W b 0,1 0 0
1-0 mill"
run replay d6
code_is "a game that goes on" 0
out_is "a game that goes on" ".../.W./.../....../.../.../... b 8,9 0 0
*"
run replay
out_is "no turn at all" ".../.../.../....../.../.../... w 9,9 0 0
*"
run replay D6 F4 d2 B4 D7 d1 d5XD1
code_is "letters may be large" 0
cp "$tmp/out" "$tmp/one"
run replay d6 f4 d2 b4 d7 d1 d5 xd1
equal "the take may be an argument of its own" "$(cat "$tmp/one")" "$(cat "$tmp/out")"
run replay "d6 f4 d2 b4" "d7 d1 d5 xd1"
equal "several turns may be one argument" "$(cat "$tmp/one")" "$(cat "$tmp/out")"
printf 'd6 f4\nd2 b4 \r\n\n d7 d1 d5\nxd1' | "$merels" replay - >"$tmp/out" 2>"$tmp/err"
equal "turns from standard input" "$(cat "$tmp/one")" "$(cat "$tmp/out")"
printf 'd2 b4 d7 d1 d5xd1' | "$merels" replay --stdin d6 f4 >"$tmp/out" 2>"$tmp/err"
equal "behind those that are arguments" "$(cat "$tmp/one")" "$(cat "$tmp/out")"
run replay --position '.../.W./.../....../.../.../... b 8,9 0 0' f4
out_is "from a position" ".../.W./.../....B./.../.../... w 8,8 0 0
*"

run replay d6 d6
refused "a point that is taken" 1 "turn 2, d6: "
run replay d6 f4 zz
refused "what is no turn" 1 "turn 3, zz: "
run replay d6 f4 b9
refused "a point that the board does not have" 1 "turn 3, b9: "
run replay --rules three c2 a3 c3 a1 c1 b1
refused "a turn after the end" 1 "turn 6, b1: "
has "a turn after the end" err "the game is over"
printf 'd6 f4\n d6' | "$merels" replay - >"$tmp/out" 2>"$tmp/err"
code=$?
refused "an error in standard input has its line" 1 "line 2, column 2: turn 3"
run replay --position 'W.. w' d6
refused "a bad position" 1 "--position: column"

# ---- What other programs of this game got wrong ----

placing="b4 d6 g4 g1 d7 b6 d1 d5 e3 d3 a7 b2 a4 g7 c5 f2 f4"
for man in a7 d7 c5 a4 b4 f4 g4 e3 d1; do
	run replay $placing "f6x$man"
	code_is "the last placement closes a mill and takes $man" 0
	has "then White moves" out " w 0,0 0 0"
	has "and the game goes on" out "*"
done
run replay $placing f6
refused "the last placement may not leave the take out" 1 "a man must be taken"
run replay $placing f6xd6
refused "nor take an own man" 1 "turn 18"

for man in a7 d7 g7; do
	run replay b6 a7 d6 d7 a1 g7xa1 "f6x$man"
	code_is "all black men stand in a mill, so $man may be taken" 0
done
run replay --rules nine,take=free-only b6 a7 d6 d7 a1 g7xa1 f6xa7
refused "but not with take=free-only" 1 "turn 7"
run replay --rules nine,take=free-only b6 a7 d6 d7 a1 g7xa1 f6
code_is "where the turn ends without a take" 0

run replay e5 a7 a4 g7 e4 d5 g4 b4 d3 f4 b2 c3 f2 e3 a1 d2 d1 g1
code_is "White is shut in right after the last placement" 0
has "and has lost" out "0-1 no-moves"
run replay --rules nine,stuck=draw e5 a7 a4 g7 e4 d5 g4 b4 d3 f4 b2 c3 f2 e3 a1 d2 d1 g1
has "or drawn, if the rules say so" out "1/2-1/2 no-moves"

board='W../.../..W/B.B.../W../.../B.. w 0,0 0 0'
run replay --rules nine,fly=0 --position "$board" a7-b6
refused "a7-b6 is illegal in nine" 1 "turn 1, a7-b6: "
run replay --rules twelve,fly=0 --position "$board" a7-b6
code_is "a7-b6 is legal on ring24x" 0

# A take is no ply: side, counters and result are those of the turn.
run replay d6 f4 d2 b4 d7 d1 d5xd1
has "after a take the other side moves" out " b 5,6 0 0"
run replay --rules nine,no-mill=1 --position 'W../.../..W/B.B.../.W./.../B.. w 0,0 0 0' a7-d7
has "a game that ends by a counter ends with that turn" out "1/2-1/2 no-mill"
run replay --rules nine,no-mill=1 --position 'W../.../..W/B.B.../.W./.../B.. w 0,0 0 0' a7-d7 a4-a7
refused "and not with another" 1 "the game is over"

run replay --position '*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4'
code_is "a FEN with more men than the rule set has, and negative hands" 1
quiet "a FEN with more men than the rule set has, and negative hands" out
has "is refused with its reason" err "merels replay: --position: "

two="g4 a7 f2 c5 f6 d2 e4 d5"
run replay $two f4xa7
code_is "two mills with one man take one man" 0
run replay $two f4xa7xc5
refused "not two" 1 "turn 9"
run replay --rules nine,take-count=per-mill $two f4xa7xc5
code_is "with take-count=per-mill two" 0
run replay --rules nine,take-count=per-mill $two f4xa7
refused "not one" 1 "turn 9"

run replay --position 'W../.../..W/B.B.../B../.../W.. w 0,0 0 0' a1-d1
code_is "a man is named by where it comes from" 0
run replay --rules nine,fly=0 --position 'W../.../..W/..B.../BB./.../W.. w 0,0 0 0' a4
refused "with men on a7 and a1, a4 alone is ambiguous" 1 "turn 1, a4: "
has "and said to be" err "a1-a4"
has "with what would be right" err "a7-a4"
finish
