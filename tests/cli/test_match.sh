# merels match: good and bad engines, openings, records, tables, exit codes. What is tested does not depend on speed.
. "$(dirname "$0")/lib.sh"
fake=$3
records=$tmp/records

# games N: so many records were written, and each can be read.
games() {
	equal "$1: records" "$2" "$(grep -c '^\[Result ' "$records")"
	run analyze --nodes 1 --format record "$records"
	code_is "$1: every record can be read" 0
}

# beaten WAY WORDS [OPTION...]: an engine that misbehaves so loses every game, and is told of with these words.
beaten() {
	way=$1 words=$2
	shift 2
	rm -f "$records"
	run match -e "$fake good" name=good -e "$fake $way" name=bad --each nodes=10 -n 1 -j 1 --pgn "$records" "$@"
	code_is "$way" 1
	has "$way is told" err "bad: $words"
	has "$way: the games are lost" out "won 2, drawn 0, lost 0"
	has "$way: the table tells" out "bad lost 2 games by a crash, an illegal turn or on time"
	games "$way" 2
}

# ---- Games ----------------------------------------------------------------------------------------------------

run match -e "$fake good" name=one -e "$fake good" name=two --each nodes=10 -n 3 -j 2 --pgn "$records" --event "A test"
code_is "two good engines" 0
has "all games" out "6 games"
has "the table" out "one against two, nine: 6 games"
has "the pairs" out "pairs by points (0, 1/2, 1, 3/2, 2): 0 0 3 0 0"
has "progress" err "6/6 games"
games "two good engines" 6
has "the event" out '[Event "A test"]'
equal "each has White as often" "3 3" "$(grep -c '^\[White "one"\]' "$records") $(grep -c '^\[White "two"\]' "$records")"
equal "each opening is played with both colours" "1.1 1.2 2.1 2.2 3.1 3.2 " \
	"$(sed -n 's/^\[Round "\(.*\)"\]/\1/p' "$records" | sort | tr '\n' ' ')"
cp "$records" "$tmp/first"
run match -e "$fake good" name=one -e "$fake good" name=two --each nodes=10 -n 1 --pgn "$records"
equal "records are appended" 8 "$(grep -c '^\[Result ' "$records")"

# Whoever names takes apart plays the same games.
turns() { grep -v '^\[' "$1" | tr '\n' ' ' | sed 's/{[^}]*}//g' | tr -s ' ' '\n' | grep -v '\.'; }
for way in good atomic inline noisy; do
	rm -f "$records"
	run match -e "$fake $way" name=one -e "$fake $way" name=two --each nodes=10 -n 2 -j 1 --pgn "$records"
	code_is "$way" 0
	turns "$records" >"$tmp/turns.$way"
	cmp -s "$tmp/turns.good" "$tmp/turns.$way" && pass || fail "$way does not play the same"
done
grep -q x "$tmp/turns.good" && pass || fail "there were takes in these games"
run match -e "$fake atomic" name=one -e "$fake good" name=two --each nodes=10 -n 1
has "an engine without the option Rules" err "one has no option Rules: it is trusted to play nine"
rm -f "$records"
run match -e "$merels engine" name=one option.AtomicMoves=true -e "$merels engine" name=two --each nodes=300 -n 2 \
	--pgn "$records" --rules "twelve,take-count=per-mill"
code_is "our engine with atomic moves, several takes" 0
games "our engine with atomic moves" 4

for rules in three achi six lasker morabaraba; do
	rm -f "$records"
	run match -e "$merels engine" name=one -e "$fake good" name=two --each nodes=200 -n 1 --pgn "$records" --rules $rules
	code_is "$rules" 0
	games "$rules" 2
	equal "$rules in the record" 2 "$(grep -c "^\[Rules \"$rules\"\]" "$records")"
done

rm -f "$records"
run match -e "$merels engine" name=one -e "$merels engine" name=two --each tc=20+0.05 option.Endings=false -n 1 --opening-plies 14 \
	--max-plies 20 --pgn "$records"
code_is "with clocks" 0
has "the clock in the record" out "2 games"
grep -q '%clk 0:00:' "$records" && pass || fail "clocks stand in the record"
grep -q '^\[TimeControl "20+0.05"\]' "$records" && pass || fail "the time control stands in the record"
games "with clocks" 2

# ---- Bad engines ----------------------------------------------------------------------------------------------

beaten crash "the engine ended in the middle of the game (signal 6)"
beaten leave "the engine ended in the middle of the game (exit code 7)"
beaten illegal "illegal turn a1-g7xd4: "
beaten nothing "no turn behind bestmove"
beaten binary "illegal turn ???"
beaten hang "no answer for 1 s" --patience 1
beaten flood "no answer for 1 s" --patience 1
beaten endless "no answer for 1 s" --patience 1
run match -e "$fake good" -e "$fake hang" name=bad --each movetime=30 -n 1 --margin 200
has "an engine that has a time and does not answer" err "bad: out of time after"
grep -q '^\[Termination "White, bad: illegal' "$records" && fail "records are of another match" || pass

run match -e "$fake mute" -e "$fake good" --each nodes=10 --patience 1
code_is "an engine that does not speak the protocol" 3
has "it is told" err "no uciok within 1 seconds"
quiet "nothing was played" out
run match -e /no/such/engine -e "$fake good" --each nodes=10
code_is "an engine that is not there" 3
has "it is told" err "No such file"
run match -e "false" -e "$fake good" --each nodes=10
code_is "an engine that ends at once" 3
run match -e "$fake good" option.Depth=3 -e "$fake good" --each nodes=10
code_is "an engine that lacks an option" 3
has "it is told" err "it has no option Depth"

# ---- Endings, openings, tables ----------------------------------------------------------------------------------

rm -f "$records"
run match -e "$fake good" name=one -e "$fake good" name=two --each nodes=10 -n 1 --max-plies 12 --pgn "$records"
has "too many plies are a draw" out "won 0, drawn 2, lost 0"
grep -q '^\[Termination "adjudicated: too many turns"\]' "$records" && pass || fail "the record says why"
run match -e "$fake good" name=one -e "$fake good" name=two --each nodes=10 -n 1 --adjudicate-draw 10,4,5
has "low scores are a draw" out "won 0, drawn 2, lost 0"

cat >"$tmp/openings" <<'END'
# two openings
d6 f4 d2 b4

W../B../.../....../.../.../... w 8,8 moves d6
END
rm -f "$records"
run match -e "$merels engine" name=one -e "$fake atomic" name=two --each nodes=50 -n 2 -j 1 --openings "$tmp/openings" \
	--pgn "$records"
code_is "openings of a file" 0
games "openings of a file" 4
equal "one is set up" 2 "$(grep -c '^\[SetUp "1"\]' "$records")"
equal "the other is played" 2 "$(grep -c '^1. d6 f4 2. d2 b4 {end of the opening}' "$records")"
printf 'd6 d6\n' >"$tmp/openings"
run match -e "$fake good" -e "$fake good" --each nodes=10 --openings "$tmp/openings"
code_is "a bad opening" 3
has "where it is bad" err "line 1: "

run match -e "$merels engine" name=strong nodes=2000 -e "$fake good" name=weak nodes=1 -n 200 --sprt 0,100
code_is "a test that is won" 0
has "it is told" out "the upper value is accepted"
run match -e "$fake good" name=weak nodes=1 -e "$merels engine" name=strong nodes=2000 -n 200 --sprt 0,100
code_is "a test that is lost" 1
has "it is told" out "the lower value is accepted"
run match -e "$fake good" name=one -e "$fake good" name=two --each nodes=1 -n 1 --sprt 0,5
code_is "a test that is not decided" 1
has "it is told" out "nothing is decided"

run match -e "$merels engine" name=strong nodes=500 -e "$fake good" name=weak -e "$fake good" name=other \
	--each nodes=1 -n 2 -j 2
code_is "a round robin" 0
has "all against all" out "12 games"
equal "the strongest is first" strong "$(sed -n '2s/ .*//p' "$tmp/out")"

timeout -s INT 3 "$merels" match -e "$fake hang" name=one -e "$fake good" name=two --each nodes=10 --patience 100 \
	>"$tmp/out" 2>"$tmp/err"
has "an interrupt ends it with the table" out "interrupted; so far:"

# ---- Wrong usage ------------------------------------------------------------------------------------------------

run match
refused "no engine" 2 "name two engines at least"
run match -e "$fake good" nodes=1
refused "one engine" 2 "name two engines at least"
run match -e
refused "no command" 2 "--engine: a command is missing"
run match -e "a 'b" -e c
refused "an open quote" 2 "has an open quote"
run match -e a -e b
refused "no limits" 2 "'a' has no limit"
run match -e a speed=3 -e b
refused "an unknown setting" 2 "'speed=3': an engine has"
run match -e a tc=fast -e b
refused "a clock that is none" 2 "expected tc=SECONDS"
run match -e a nodes=-3 -e b
refused "nodes that are none" 2 "expected a whole number"
run match -e a name=x -e b name=x --each nodes=1
refused "the same name twice" 2 "two engines are named 'x'"
run match -e a -e b --each
refused "settings that are missing" 2 "--each: expected settings"
run match -e a -e b --each nodes=1 --sprt 5,0
refused "a test upside down" 2 "--sprt: '5,0' is not"
run match -e a -e b -e c --each nodes=1 --sprt 0,5
refused "a test of three" 2 "--sprt is for two engines"
run match -e a -e b --each nodes=1 --rounds 0
refused "no rounds" 2 "--rounds: '0' is no whole number"
run match -e a -e b --each nodes=1 extra
refused "a word too many" 2 "unexpected argument 'extra'"
run match -e a -e b --each nodes=1 --adjudicate-draw 1,2
refused "an adjudication that is none" 2 "is not PLIES,N,SCORE"
run match -e a -e b --each nodes=1 --rules chess
refused "unknown rules" 2 "--rules"
run match -e "$fake good" -e "$fake good" --each nodes=1 --pgn /no/such/folder/file
code_is "records that cannot be written" 3
finish
