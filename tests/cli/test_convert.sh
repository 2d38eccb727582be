# merels convert: positions from any format into any other, records into canonical records and into lines of games.
. "$(dirname "$0")/lib.sh"

start='.../.../.../....../.../.../... w 9,9 0 0'
fen='********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1'
mfen='MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -'

for from in "$start" "$fen" "$mfen"; do
	run convert "$from"
	out_is "our own format is the default" "$start"
	run convert --to sanmill "$from"
	out_is "to Sanmill's FEN" "$fen"
	run convert --to=mfen -r nine "$from"
	out_is "to MFEN" "$mfen"
	code_is "a position converts" 0
done

printf '# a line for people\n\n%s\r\n  %s\n%s' "$start" "$fen" "$mfen" | "$merels" convert >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "one position a line of standard input" 0
out_is "one position a line of standard input" "$start
$start
$start"

printf '%s\nbad\n%s\n' "$start" "$start" | "$merels" convert --to mfen >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "a bad line is reported and the rest converted" 1
out_is "a bad line is reported and the rest converted" "$mfen
$mfen"
has "a bad line is reported and the rest converted" err "merels convert: standard input: line 2, column 1: "

run convert --rules six '.../.../..../.../... w 6,6 0 0' --to sanmill
code_is "a format that cannot say it" 1
has "a format that cannot say it" err "it cannot say a position of ring16"

run convert '*OOOOOOO/*@O@@OOO/OO@@@@@O b p p 14 -6 8 -4'
refused "more men than the rule set has, and negative hands" 1 "more men than the 9 of the rule set, and a hand cannot be negative"

run convert --to pgn "$start"
refused "an unknown form" 2 "--to: unknown form 'pgn'"
run convert --to mfenn "$start"
refused "a form with a typing error" 2 "did you mean 'mfen'?"
run convert --to record --rules nine
refused "a rule set for records" 2 "a record names its own rule set"

# Records. The vectors come back as they were.
vectors=$source_folder/tests/vectors/games.txt
awk -F ' [|] ' '{
	n = split($1, word, " "); split($2, end, " ")
	printf "[Rules \"%s\"]\n", word[1]
	for (i = 2; i <= n; i++)
		printf "%s ", word[i]
	printf "%s\n", end[1]
}' "$vectors" >"$tmp/vectors.pgn"
run convert --to games "$tmp/vectors.pgn"
code_is "games of the vectors" 0
if cmp -s "$tmp/out" "$vectors"; then pass; else fail "the games of the vectors come back byte for byte"; fi

run convert --to record "$tmp/vectors.pgn"
cp "$tmp/out" "$tmp/canonical.pgn"
run convert --to record "$tmp/canonical.pgn"
if cmp -s "$tmp/out" "$tmp/canonical.pgn"; then pass; else fail "the canonical form converts into itself"; fi
run convert --to games "$tmp/canonical.pgn"
if cmp -s "$tmp/out" "$vectors"; then pass; else fail "the canonical form holds the same games"; fi
equal "no line of turns is longer than 80 bytes" "" "$(grep -v '^\[' "$tmp/canonical.pgn" | grep -E '.{81}')"

printf '1. d6 (1. d7) {x} f4 1. a1 d6 *\n1. D6 *' | "$merels" convert --to record >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "a bad game is reported and the rest converted" 1
has "a bad game is reported and the rest converted" err "merels convert: standard input: line 1, column 28: d6 is not legal"
out_is "a bad game is reported and the rest converted" '[Result "*"]
[Rules "nine"]

1. d6 *'

printf '1. d6 1-0' | "$merels" convert --to games - >"$tmp/out" 2>"$tmp/err"
code=$?
out_is "a game that the rules have not ended" "nine d6 | * * | .../.W./.../....../.../.../... b 8,9 0 0"

printf '[Position "WW./.../.../....../.../.../BBB w 0,0"] 0-1' | "$merels" convert --to games >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "a line of games has no start of its own" 1
has "a line of games has no start of its own" err "game 1 starts from a position of its own"

finish
