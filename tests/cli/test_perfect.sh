# Perfect play at the terminal, in the engine and in analysis; small tables come by themselves.
. "$(dirname "$0")/lib.sh"

run play --plain --rules tapatan --white computer --level perfect
code_is "perfect play" 0
has "it says that it builds" err "Building the exact tables"
has "it plays the winning turn" out "White plays b2."
[ -f "$tmp/cache/merels/tables/tapatan/0-0-3-3.plies" ] && pass || fail "the tables are in the cache folder"

# Both sides perfect: the game is as long as the tables say.
run play --plain --rules tapatan --white computer --black computer --level perfect
code_is "two perfect players" 0
quiet "tables that are there are not built again" err
has "the first player wins" out "1-0 mill"
equal "in nine plies" 9 "$(grep -c ' plays ' "$tmp/out")"

run play --plain --rules twelve --level perfect
refused "no tables" 1 "there are no exact tables of twelve; \`merels tables build --rules twelve\` makes them"
run play --plain --rules four --level perfect --tables "$tmp/nowhere"
refused "a folder without tables" 3 "$tmp/nowhere/"
run play --plain --rules four --tables "$tmp/cache/merels/tables/tapatan"
refused "tables of other rules" 3 "there is no such file"
run play --plain --level excellent
refused "an unknown level" 2 "--level"

XDG_CACHE_HOME=/proc/nowhere
run play --plain --rules three --white computer --level perfect
refused "a cache that cannot be written" 1 "/proc/nowhere"
run play --plain --rules three --white computer --black human --level 10 --time 0.05
code_is "level 10 plays on without" 0
equal "and says so in one line" 1 "$(grep -c 'without exact tables' "$tmp/err")"
has "a turn all the same" out "White plays"
XDG_CACHE_HOME=$tmp/cache

# The commands of `tables` know the folder.
run tables stats --rules tapatan
code_is "stats without a folder" 0
equal "the value of the start" "start: win 9" "$(head -n 1 "$tmp/out")"
run tables build --rules achi --metric distance
code_is "build without a folder" 0
[ -f "$tmp/cache/merels/tables/achi/0-0-4-4.values" ] && pass || fail "it is built where it is looked for"

# The engine builds small tables for itself, and plays by them.
printf '%s\n' "setoption name Rules value four" "setoption name TablePath value auto" "go movetime 60000" >"$tmp/in"
tries=0
until [ $tries -gt 10 ]; do # where much else runs they may not be there in the second that is waited for
	tries=$((tries + 1))
	"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
	code=$?
	grep -q "^info string tables: win 13" "$tmp/out" && break
done
code_is "the engine" 0
if grep -q "^info string tables: win 13" "$tmp/out"; then
	has "it wins in thirteen" out "score win 13"
	has "by the only turn" out "bestmove b2"
else
	fail "the engine asks tables that it built"
fi
printf '%s\n' "setoption name Rules value nine,mill=win" "setoption name TablePath value auto" "go depth 1" >"$tmp/in"
"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
has "tables too large, and endings as well" out "it plays without"

# Of a larger rule set it builds the endings beside the conversation, and says when they are there.
talking=0
mkfifo "$tmp/pipe"
"$merels" engine <"$tmp/pipe" >"$tmp/out" 2>"$tmp/err" &
engine=$!
exec 3>"$tmp/pipe"
printf '%s\n' "setoption name Rules value seven,men=8" "setoption name TablePath value auto" isready \
	"position text W.W/.W./...../B.B/.B. w 0,0" "go depth 1" >&3 # which hurries them
until grep -q "against 4 are ready" "$tmp/out" || [ $talking -gt 1200 ]; do
	talking=$((talking + 1))
	sleep 0.1
done
printf '%s\n' "position text W.W/.W./...../B.B/.B. w 0,0" "go movetime 60000" >&3
exec 3>&-
wait $engine
code=$?
code_is "the engine" 0
has "endings are begun" out "info string tables: endings of at most 6 men against 4 are being built"
has "nobody waits for them" out "readyok"
has "they are ready" out "info string tables: endings of at most 6 men against 4 are ready"
has "an ending is known" out "info string tables: win 1, 3 equally good"
printf '%s\n' "setoption name Rules value seven,men=8" "setoption name TablePath value auto" "go depth 3" >"$tmp/in"
"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
has "the next time they are there at once" out "against 4 are ready"
has "what is no ending is searched" out "depth 3 seldepth"
# What is there is asked without being named where time alone limits a search: with depth or nodes it is the same everywhere.
ending="position text W.W/.W./...../B.B/.B. w 0,0"
printf '%s\n' "setoption name Rules value seven,men=8" "$ending" "go movetime 60000" >"$tmp/in"
"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
has "endings are asked of themselves" out "info string tables: win 1, 3 equally good"
printf '%s\n' "setoption name Rules value seven,men=8" "$ending" "go nodes 1000" >"$tmp/in"
"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
equal "not where nodes limit" 0 "$(grep -c "info string tables" "$tmp/out")"
printf '%s\n' "setoption name Rules value seven,men=8" "setoption name Endings value false" "$ending" "go movetime 50" >"$tmp/in"
"$merels" engine <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
equal "not where they are not wanted" 0 "$(grep -c "info string tables" "$tmp/out")"
# The first turn on time begins to build them, beside the game; one of limited depth does not.
XDG_CACHE_HOME=$tmp/fresh
"$merels" engine <"$tmp/pipe" >"$tmp/out" 2>"$tmp/err" &
engine=$!
exec 3>"$tmp/pipe"
printf '%s\n' "setoption name Rules value seven,men=8" "go depth 2" isready >&3
talking=0
until grep -q readyok "$tmp/out" || [ $talking -gt 1200 ]; do
	talking=$((talking + 1))
	sleep 0.1
done
equal "nothing is built for a search of limited depth" no "$([ -e "$tmp/fresh" ] && echo yes || echo no)"
printf '%s\n' "go movetime 20" "position text W.W/.W./...../B.B/.B. w 0,0" "go movetime 20" >&3
until grep -q "against 4 are ready" "$tmp/out" || [ $talking -gt 2400 ]; do
	talking=$((talking + 1))
	sleep 0.1
done
exec 3>&-
wait $engine
has "a turn on time begins to build endings" out "endings of at most 6 men against 4 are ready"
XDG_CACHE_HOME=$tmp/cache
run play --plain --rules seven,men=8 --white computer --level perfect
refused "endings alone are not perfect play" 1 "there are no exact tables of seven,men=8"
run analyze --rules seven,men=8 --depth 2 --position "W.W/.W./...../B.B/.B. w 0,0"
has "analysis tells of endings" out "exact win 1: "
run analyze --rules seven,men=8 --depth 2 --format json
code_is "analysis of what is no ending" 0
equal "says nothing exact" 0 "$(grep -c exact "$tmp/out")"

# Analysis asks the tables that are there, or those it is shown.
run analyze --rules achi --depth 4
code_is "an analysis" 0
has "the value of the best turns" out "exact win 11: b2"
has "the values of all" out "exact loss "
run analyze --rules four --depth 4 --tables "$tmp/cache/merels/tables/four" --format json
code_is "an analysis for programs" 0
if command -v python3 >/dev/null; then
	equal "each turn has its value" "win 13 9 b2" "$(python3 -c '
import json, sys
exact = json.load(open(sys.argv[1]))[0]["exact"]
print(exact["value"], exact["plies"], len(exact["turns"]), exact["turns"][0]["turn"])' "$tmp/out")"
fi
cat >"$tmp/game" <<'END'
[Event "?"]
[Rules "achi"]
[Result "*"]

1. a1 b2 *
END
run analyze --depth 4 "$tmp/game"
has "a win that was let go" out "lets a win 11 go: b2"
run analyze --rules four --depth 2 --tables "$tmp/nowhere"
code_is "tables that are not there" 3
has "tables that are not there" err "--tables: $tmp/nowhere/"
run analyze --depth 2 --rules three
equal "no tables, no word of them" 0 "$(grep -c exact "$tmp/out")"
run analyze --depth 2 --tables "$tmp" --format record "$tmp/game"
refused "a record has no place for them" 2 "in text and json"

finish
