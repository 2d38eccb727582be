# merels check: every error of a file of records, with its place; the games counted; the exit code.
. "$(dirname "$0")/lib.sh"

vectors=$source_folder/tests/vectors/games.txt

# The games of the vectors, written as records by a hand of its own.
awk -F ' [|] ' '{
	n = split($1, word, " "); split($2, end, " ")
	printf "[Rules \"%s\"]\n[Result \"%s\"]\n[Termination \"%s\"]\n\n", word[1], end[1], end[2]
	for (i = 2; i <= n; i++)
		printf "%s%s\n", i % 2 == 0 ? i / 2 ". " : "", word[i]
	printf "%s\n\n", end[1]
}' "$vectors" >"$tmp/vectors.pgn"
games=$(wc -l <"$vectors" | tr -d ' ')

run check "$tmp/vectors.pgn"
code_is "every game of the vectors is good" 0
out_is "every game of the vectors is good" "$games games: $games good, 0 bad"
quiet "every game of the vectors is good" err

cat >"$tmp/some.pgn" <<'END'
1. d6 f4 *

[Event "a"]
[Rules "three"]

1. c2 a3 2. c3 a1 3. c1 b2 1-0

1. b6 a7 2. d6 d7 3. a1 g7 *
1. d7 {open
END
run check "$tmp/some.pgn"
code_is "each bad game is reported once, with its place" 1
out_is "each bad game is reported once, with its place" "$tmp/some.pgn:6:25: \"b2\" is played after the end: the game is over, 1-0 mill
$tmp/some.pgn:8:25: g7 is not legal: g7 closes a mill, so a man must be taken: one of a1 b6 d6
$tmp/some.pgn:9:7: the comment that begins here is never closed by }
4 games: 1 good, 3 bad"

run check "$tmp/vectors.pgn" "$tmp/some.pgn"
code_is "several files are counted together" 1
equal "several files are counted together" "$((games + 4)) games: $((games + 1)) good, 3 bad" "$(tail -n 1 "$tmp/out")"

# The example of the formats page is a record, in the form that is written.
sed -n '/^    \[Event "Casual game"\]/,/ 0-1$/p' "$source_folder/docs/FORMATS.md" | sed 's/^    //' >"$tmp/page.pgn"
run convert --to record "$tmp/page.pgn"
out_is "the record of docs/FORMATS.md is in the canonical form" "$(cat "$tmp/page.pgn")"

printf '1. d6 *' | "$merels" check - >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "a dash is standard input" 0
out_is "a dash is standard input" "1 game: 1 good, 0 bad"

printf '1. d6 d6 *' | "$merels" check - >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "an error in standard input" 1
has "an error in standard input" out "standard input:1:7: d6 is not legal: d6 is occupied"

printf '\n \n' >"$tmp/empty"
run check "$tmp/empty"
code_is "a file without a game is no good file" 1
has "a file without a game is no good file" out "$tmp/empty:1:1: there is no game in this file"

run check "$tmp/nowhere" "$tmp/vectors.pgn"
code_is "a file that cannot be read does not hide the others" 3
has "a file that cannot be read does not hide the others" err "$tmp/nowhere"
has "a file that cannot be read does not hide the others" out "$games good, 0 bad"

run check
refused "no file" 2 "a file is missing"

head -c 10000000 /dev/zero | tr '\0' 'd' >"$tmp/long"
run check "$tmp/long"
code_is "a line of 10 MB" 1
has "a line of 10 MB" out "$tmp/long:1:1: a word of 10000000 characters is longer than any turn"

printf '1. d6 {' >"$tmp/long"
head -c 10000000 /dev/zero | tr '\0' 'w' >>"$tmp/long"
printf '} *\n' >>"$tmp/long"
run check "$tmp/long"
code_is "a comment of 10 MB" 0

printf '1. d6 {a\0b} *\n' >"$tmp/nul"
run check "$tmp/nul"
has "a NUL byte" out "$tmp/nul:1:9: expected text in a comment; found a NUL byte"

finish
