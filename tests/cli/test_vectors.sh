# merels vectors.
. "$(dirname "$0")/lib.sh"
folder=$source_folder/tests/vectors

run vectors "$folder"/*.txt
code_is "the vectors of this project" 0
out_is "all pass" "$(cat "$folder"/*.txt | grep -c '|') passed, 0 failed"
quiet "all pass" err

cat >"$tmp/good" <<'END'
# a comment, and an empty line

three | 9 72 504
  three | .BB/W.B/WW. w 0,0 0 0 | 4 10 34 | a2-a3 a2-b2 b1-b2 b1-c1
three c2 a3 c3 a1 c1 | 1-0 mill | B.W/..W/B.W b 0,1 0 0
END
run vectors "$tmp/good"
code_is "one line of each kind" 0
out_is "one line of each kind" "3 passed, 0 failed"
"$merels" vectors - <"$tmp/good" >"$tmp/out" 2>&1
out_is "from standard input" "3 passed, 0 failed"
tr '\n' '\r' <"$tmp/good" | sed 's/\r/\r\n/g' >"$tmp/crlf"
run vectors "$tmp/crlf"
out_is "lines that end as other systems end them" "3 passed, 0 failed"
printf 'three | 9 72' >"$tmp/open"
run vectors "$tmp/open"
out_is "a last line without an end" "1 passed, 0 failed"
: >"$tmp/empty"
run vectors "$tmp/empty"
out_is "an empty file" "0 passed, 0 failed"

cat >"$tmp/bad" <<'END'
three | 9 73 504
three | .BB/W.B/WW. w 0,0 0 0 | 4 10 35 | a2-a3 a2-b2 b1-b2 b1-c1
three | .BB/W.B/WW. w 0,0 0 0 | 4 10 34 | a2-a3 a2-b2 b1-b2
three c2 a3 c3 a1 c1 | 0-1 mill | B.W/..W/B.W b 0,1 0 0
three c2 a3 c3 a1 c1 | 1-0 mill | B.W/..W/B.. b 0,1 0 0
three c2 c2 | * * | B.W/..W/B.W b 0,1 0 0
threee | 9 72
three | B.W/ | 1 2 3 | a1
three
three | 1 | 2 | 3 | 4
three |
three | 9 | | a1
three | 9 72 504
END
run vectors "$tmp/bad"
code_is "bad lines" 1
equal "the last line counts" "1 passed, 12 failed" "$(tail -1 "$tmp/out")"
has "a count" out "$tmp/bad:1: perft depth 2: expected 73, found 72"
has "a count of a position" out "$tmp/bad:2: perft depth 3: expected 35, found 34"
has "a turn too few" out "$tmp/bad:3: legal turns: expected a2-a3 a2-b2 b1-b2, found a2-a3 a2-b2 b1-b2 b1-c1"
has "a result" out "$tmp/bad:4: result: expected 0-1 mill, found 1-0 mill"
has "a final position" out "$tmp/bad:5: final position: expected B.W/..W/B.. b 0,1 0 0, found B.W/..W/B.W b 0,1 0 0"
has "an illegal turn" out "$tmp/bad:6: turn 2: "
has "an unknown rule set" out "$tmp/bad:7: rules: no rule set is named \"threee\""
has "a bad position" out "$tmp/bad:8: position: "
for line in 9 10 11 12; do
	has "a line of no kind" out "$tmp/bad:$line: "
done

run vectors "$tmp/good" "$tmp/bad"
equal "several files are added up" "4 passed, 12 failed" "$(tail -1 "$tmp/out")"
run vectors
refused "no file" 2 "a file is missing"
run vectors "$tmp/nothing"
refused "a file that is not there" 3 "$tmp/nothing: cannot be opened: there is no such file"
run vectors "$tmp"
refused "a directory" 3 "$tmp: cannot be read: it is a directory, not a file"
finish
