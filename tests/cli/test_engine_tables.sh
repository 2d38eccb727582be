#!/bin/sh
# The engine with exact tables: it believes them, says why it will not have others, and plays on without.
. "$(dirname "$0")/lib.sh"

folder=$tmp

"$merels" tables build --rules four --metric distance --dir "$folder/four" >/dev/null 2>&1 || exit 1
"$merels" tables build --rules achi --metric distance --dir "$folder/achi" >/dev/null 2>&1 || exit 1

# talk LINE...: a conversation, its answers in out
talk() {
	printf '%s\n' "$@" >"$folder/in"
	"$merels" engine <"$folder/in" >"$tmp/out" 2>"$tmp/err"
	code=$?
}

talk "setoption name Rules value four" "setoption name TablePath value $folder/four" "go depth 2"
code_is "a conversation" 0
has "the distance is the table's" out "depth 1 seldepth 1 score win 13"
has "there is a turn" out "bestmove "

talk "setoption name TablePath value $folder/achi" "setoption name Rules value achi" "go depth 1"
has "tables of another rule set are refused" out "info string option TablePath: $folder/achi/"
has "tables come with their rule set" out "score win 11"

talk "setoption name Rules value four" "setoption name TablePath value $folder/none" "go depth 2"
has "a folder that is not there is told" out "it plays without"
has "and it plays without" out "tbhits 0"
has "a turn all the same" out "bestmove "

# Without distances it says no more than it knows, and still wins.
"$merels" tables build --rules four --dir "$folder/values/four" >/dev/null 2>&1 || exit 1
talk "setoption name Rules value four" "setoption name TablePath value $folder/values/four" "go depth 2"
has "a win whose distance is not known has no number" out "score win nodes"
"$merels" tables build --rules five --dir "$folder/five" >/dev/null 2>&1 || exit 1
talk "setoption name Rules value five" "setoption name TablePath value $folder/five" "go depth 2"
has "a draw is told as one" out "score draw nodes"

for file in "$folder"/four/*; do
	printf 'damaged' >"$file"
done
talk "setoption name Rules value four" "setoption name TablePath value $folder/four" "go depth 2"
has "damaged tables are told" out "info string option TablePath: "
has "damaged tables are not believed" out "tbhits 0"

finish
