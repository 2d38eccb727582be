# merels analyze: it finds the blunder in a record, in each format, and says what is best in a position.
. "$(dirname "$0")/lib.sh"

# Black threatens to close b6 d6 f6, and White has three men: to go elsewhere loses in two plies.
cat >"$tmp/game" <<'END'
[Event "A game with a blunder"]
[White "Careless"]
[Black "Careful"]
[Rules "nine"]
[SetUp "1"]
[Position "B../BB./..W/...WB./.../.../W.B w 0,0"]
[Result "0-1"]

1. a1-a4 {hello} f4-f6xa4 0-1
END

run analyze --depth 6 "$tmp/game"
code_is "a record" 0
has "its players" out "Careless - Careful, nine: 0-1 few-men"
grep -q '^ *1\. a1-a4?? *loss in 2  loses [0-9.]*; best [+-][0-9.]*: ' "$tmp/out" && pass ||
	fail "the blunder is found, and what was better"
equal "it is the only one" 1 "$(grep -c '?' "$tmp/out")"
has "the mistakes are counted" out "0 mistakes, 1 blunder"
has "the other side is counted" out "Black: 1 turn, 0.00 lost"
equal "one line for each turn" 2 "$(grep -cE '^ +[0-9]+\.' "$tmp/out")"

run analyze --depth 6 --format record "$tmp/game"
code_is "an annotated record" 0
cp "$tmp/out" "$tmp/annotated"
has "comments that were there stay" out "hello"
equal "each turn has a score" 2 "$(grep -o '%eval' "$tmp/out" | wc -l | tr -d ' ')"
tr '\n' ' ' <"$tmp/out" | grep -q 'a1-a4 \$4 {\[%eval #-2\] hello} {loses [0-9.]* at depth 6} (1\. ' && pass ||
	fail "the blunder has a mark and the better line"
run analyze --depth 1 --format record "$tmp/annotated"
code_is "the annotated record is a record" 0
cat "$tmp/game" "$tmp/game" >"$tmp/two"
run analyze --depth 3 --format record "$tmp/two"
equal "two records" 2 "$(grep -c '^\[Event ' "$tmp/out")"

run analyze --depth 6 --format json "$tmp/game"
code_is "JSON" 0
for text in '"rules": "nine"' '"turn": "a1-a4"' '"Event": "A game with a blunder"' '"reason": "few-men"' '"average_loss"'; do
	has "in JSON" out "$text"
done
if command -v node >/dev/null 2>&1; then
	equal "JSON that a program reads" "1 2 a1-a4 true 2 1" "$(node -e '
		const [game, ...more] = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
		const worst = game.turns.reduce((a, b) => (b.loss > a.loss ? b : a));
		console.log(1 + more.length, game.turns.length, worst.turn, worst.loss >= 300,
			worst.score.loss, game.white.mistakes + game.white.blunders);' "$tmp/out")"
fi

run analyze --depth 6 --lines 3
code_is "a position" 0
equal "three lines" 3 "$(grep -cE '^ [0-9]\. ' "$tmp/out")"
run analyze --rules three --position "WW./BB./... w 1,1" --depth 3
has "a win is a win in plies" out "win in 1  c3"
run analyze --rules three --position "WW./BB./... b 1,1" --depth 3 --format json
code_is "a position that cannot be" 1
run analyze --rules three --position "WWW/BB./... b 0,0" --depth 3
has "a position that is decided" out "decided: 1-0"
run analyze --rules six --depth 4 --lines 2 --threads 2 --format json
code_is "a position as JSON" 0
has "a position as JSON" out '"position": ".../.../..../.../... w 6,6 0 0"'
run analyze --time 0.01
code_is "by time" 0
run analyze --nodes 1000
code_is "by nodes" 0

run analyze "$tmp/nothing"
code_is "a file that is not there" 3
printf '1. d6 d6 *\n' >"$tmp/bad"
run analyze --depth 2 "$tmp/bad"
refused "a bad record" 1 "line 1, column 7"
cat "$tmp/bad" "$tmp/game" >"$tmp/both"
run analyze --depth 2 "$tmp/both"
code_is "a bad record before a good one" 1
has "the good one is done" out "Careless - Careful"
run analyze /dev/null
refused "no record" 1 "there is no record in it"
run analyze --rules six "$tmp/game"
refused "rules for a record" 2 "a record says itself"
run analyze --format record
refused "a record of a position" 2 "for records, not for a position"
run analyze --format xml
refused "an unknown format" 2 "is not text, json or record"
run analyze --lines 17
refused "too many lines" 2 "--lines: '17'"
run analyze --time 0
refused "no time" 2 "--time: '0'"
finish
