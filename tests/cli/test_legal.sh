# merels legal.
. "$(dirname "$0")/lib.sh"

run legal --rules three
code_is "the start" 0
out_is "the start of three" "a1
a2
a3
b1
b2
b3
c1
c2
c3"
run legal
equal "nine is the default" 24 "$(wc -l <"$tmp/out" | tr -d ' ')"

# Positions of the vectors, one in ten; `merels vectors` checks them all.
vectors=$tmp/vectors
awk 'NR % 10 == 1' "$source_folder/tests/vectors/positions.txt" >"$vectors"
sed -n 's/^.* | //p' "$vectors" | tr ' ' '\n' >"$tmp/expected"
while IFS='|' read -r rules position rest; do
	position=${position# }
	"$merels" legal --rules "${rules% }" --position "${position% }" >>"$tmp/found" 2>&1 </dev/null
done <"$vectors"
if cmp -s "$tmp/expected" "$tmp/found"; then
	pass
else
	fail "legal turns of the positions of the vectors"
	diff "$tmp/expected" "$tmp/found" | head -20
fi

run legal --rules nine --position '.../.../.../....../.../.../... w 9,9'
equal "the counters may be left out" 24 "$(wc -l <"$tmp/out" | tr -d ' ')"

run legal --rules three --position 'B.W/..W/B.W b 0,1 0 0'
code_is "a finished position" 0
out_is "a finished position" "decided: mill"
run legal --rules nine --position 'W../W../.../....../B../B../B.. w 0,0 0 0'
out_is "two men are a finished position" "decided: few-men"
run legal --rules nine --position 'WWW/.../.../....../.../.../BBB w 0,0 100 0'
out_is "a counter that has run out" "decided: no-mill"
run legal --rules nine,no-mill=0 --position 'WWW/.../.../....../.../.../BBB w 0,0 100 0'
equal "unless the rule is off" true "$([ "$(wc -l <"$tmp/out")" -gt 24 ] && echo true)"
run legal --rules morabaraba --position 'WWW/.../.../....../.../.../BBB w 0,0 20 20'
out_is "the three-men counter" "decided: three-men"

# Issues that other programs of this game had.
run legal --rules nine --position 'W../.../.../W...../.../.../W.B w 0,0 0 0'
has "Black with one man has lost" out "decided: few-men"
run legal --rules twelve,fly=0 --position 'W../.../..W/B.B.../W../.../B.. w 0,0 0 0'
has "the diagonals of ring24x join a7 and b6" out "a7-b6"
run legal --rules nine,fly=0 --position 'W../.../..W/B.B.../W../.../B.. w 0,0 0 0'
equal "those of ring24 do not" "" "$(grep a7-b6 "$tmp/out")"

# Foreign formats are read wherever a position is.
run legal --rules nine --position '********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1'
code_is "Sanmill's FEN" 0
equal "Sanmill's FEN" 24 "$(wc -l <"$tmp/out" | tr -d ' ')"
run legal --rules nine --position '*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4'
code_is "a FEN with too many men and negative hands" 1
quiet "a FEN with too many men and negative hands" out
finish
