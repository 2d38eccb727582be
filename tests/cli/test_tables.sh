# merels tables: build, verify, stats in each form, probe, and what is refused.
. "$(dirname "$0")/lib.sh"
folder=$tmp/four

run tables build --rules four --dir "$folder" --metric distance
code_is "build" 0
quiet "build prints nothing where output goes" out
has "build tells how long it took" err "built in"

run tables verify --rules four --dir "$folder"
code_is "verify" 0
has "verify" out "3353 positions verified, 0 wrong"
run tables verify --rules four --dir "$folder" --sample 500 --seed 7
code_is "verify a sample" 0
has "verify a sample" out "500 positions verified, 0 wrong, seed 7"

run tables stats --rules four --dir "$folder"
code_is "stats" 0
equal "the value of the start" "start: win 13" "$(head -n 1 "$tmp/out")"
equal "the value of each first turn" 9 "$(grep -cE '^[abc][123]: (win|loss|draw)' "$tmp/out")"
has "all sectors together" out "all: 2399 positions, 1467 won, 204 drawn, 728 lost"
run tables stats --rules four --dir "$folder" --format csv
equal "the CSV's head" "own,enemy,own_hand,enemy_hand,positions,win,draw,loss,longest" "$(head -n 1 "$tmp/out")"
has "a sector" out "3,3,0,0,228,130,57,41,10"
equal "nothing but sectors" "" "$(sed 1d "$tmp/out" | grep -vE '^([0-9]+,){8}[0-9]*$')"
run tables stats --rules four --dir "$folder" --format json
code_is "stats as JSON" 0
has "the rules" out '"rules": "four"'
has "the start" out '"start": {"value": "win", "plies": 13}'
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tmp/out" && pass || fail "the JSON cannot be read"
fi

run tables probe --rules four --dir "$folder"
code_is "probe" 0
equal "the position" "position: win 13" "$(head -n 1 "$tmp/out")"
has "its best turn" out "b2: win 13"
equal "the line is as long as it says" 13 "$(sed -n 's/^line: //p' "$tmp/out" | wc -w | tr -d ' ')"
run tables probe --rules four --dir "$folder" --position "B../.W./..B w 2,2"
refused "a position that cannot be" 1 "the tables have no such position"

run tables build --rules four --dir "$tmp/half" --half
code_is "build --half" 0
run tables probe --rules four --dir "$tmp/half"
equal "a value without distances" "position: win" "$(head -n 1 "$tmp/out")"

# Endings alone.
run tables build --rules five --endings 3-4 --dir "$tmp/endings"
code_is "build --endings" 0
run tables verify --rules five --dir "$tmp/endings"
code_is "verify endings" 0
has "verify endings" out " positions verified, 0 wrong"
run tables stats --rules five --dir "$tmp/endings"
equal "what the folder holds" "endings without men in hand, at most 4 men against 3" "$(head -n 1 "$tmp/out")"
equal "its sectors" "3-3 4-3 3-4 all:" "$(sed -n '2,$s/ .*//p' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')"
run tables stats --rules five --dir "$tmp/endings" --format json
has "what it holds as JSON" out '"endings": "4-3"'
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tmp/out" && pass || fail "the JSON cannot be read"
fi
run tables stats --rules five --dir "$tmp/endings" --format csv
equal "the CSV begins as any" "own,enemy,own_hand,enemy_hand,positions,win,draw,loss,longest" "$(head -n 1 "$tmp/out")"
run tables probe --rules five --dir "$tmp/endings" --position "WW./.../.W../B.B/B.. w 0,0"
code_is "probe an ending" 0
has "it has a value" out "position: "
run tables probe --rules five --dir "$tmp/endings"
refused "the start is no ending" 1 "they know but endings without men in hand, of at most 4 men against 3"
run tables stats --rules five --dir "$tmp/endings" --endings 5-4
refused "other endings than are there" 1 "does not hold the endings of 5 men against 4"
run tables build --rules five --endings 6-4 --dir "$tmp/endings"
refused "more men than the rule set has" 1 "endings of 6 men against 4 do not occur in five: a side does not have so many men"
run tables build --rules five --endings 5-2 --dir "$tmp/endings"
refused "too few men" 1 "with fewer than three men a game is over"
run tables build --rules five --endings five --dir "$tmp/endings"
refused "no men" 2 "--endings: 'five' is not men against men, such as 6-4"
run tables build --rules five --dir "$tmp/endings"
refused "whole tables in a folder of endings" 1 "endings and whole tables do not go into one folder"
run tables build --rules five --endings 4-3
code_is "build endings without a folder" 0
[ -f "$tmp/cache/merels/tables/endings/five/endings" ] && pass || fail "they are built where they are looked for"
run tables stats --rules five --endings 4-3
code_is "and found there" 0

run tables stats --rules five --dir "$folder"
refused "tables of other rules" 3 "there is no such file"
run tables stats --rules four,take=any --dir "$folder"
refused "tables of other rules in the same files" 1 'is a table for the rule set "four", not for four,take=any'
run tables build --rules four --dir /proc/nowhere
refused "a folder that cannot be made" 3 "/proc/nowhere"
run tables build --rules nine --dir "$tmp/nine" --memory 1
refused "too little memory" 3 "MB of memory"
XDG_CACHE_HOME=relative HOME='' run tables build --rules four
refused "no folder" 2 "neither XDG_CACHE_HOME nor HOME names a folder where tables could be kept; say where with --dir"
run tables
refused "nothing to do" 2 "say one thing to do"
run tables burn --dir "$folder"
refused "an unknown thing to do" 2 "'burn' is none of"
run tables build --rules four --dir "$folder" --metric plies
refused "an unknown metric" 2 "--metric: 'plies' is neither value nor distance"
run tables stats --rules four --dir "$folder" --format xml
refused "an unknown format" 2 "--format: 'xml' is none of"
finish
