# merels play as lines of text.
. "$(dirname "$0")/lib.sh"

# play OPTION... with the turns and commands of $tmp/in.
play() {
	"$merels" play --plain "$@" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
	code=$?
}

echo >"$tmp/in"
play --rules three --black human
code_is "the end of input ends it" 0
equal "board, men, and what to do" "
  3  .---.---. 
     |   |   | 
  2  .---.---. 
     |   |   | 
  1  .---.---. 
     a   b   c  

White: 3 in hand, 0 lost
Black: 3 in hand, 0 lost
White: place a man.
.../.../... w 3,3 0 0
*" "$(cat "$tmp/out")"

echo "c2 a3 c3 a1 c1" >"$tmp/in"
play --rules three --black human
code_is "a whole game" 0
has "the last turn and the mill are marked" out "  1  B---.--[W]"
has "the mill is drawn heavy" out "     |   |   #"
has "why it ended" out "White closed a mill. White won."
equal "its result" "1-0 mill" "$(tail -1 "$tmp/out")"

printf 'd6\nf4\nd6\nb9\n\nhelp\nlegal\nundo\nd2\nnew\nundo\nquit\nd6\n' >"$tmp/in"
play --black human
code_is "commands" 0
has "a turn that is not legal" out "d6 is occupied"
has "a point that there is not" out "b9"
has "help" out "undo      take the last turn back"
has "legal turns" out "a1 a4 a7 b2 b4 b6 c3"
has "nothing to take back" out "There is no turn to take back."
equal "after quit nothing is read" ".../.../.../....../.../.../... w 9,9 0 0" "$(tail -2 "$tmp/out" | head -1)"

printf 'd6 f4 undo\n' >"$tmp/in"
play --black human
has "a command among turns is no turn" out "undo"

echo "d6 f4 d2 b4 d7 d1 d5" >"$tmp/in"
play --black human
has "a take left out" out "a man must be taken: one of"
echo "d6 f4 d2 b4 d7 d1 d5 xd1" >"$tmp/in"
play --black human
has "a man that was taken is marked" out "  1  .-----------x-----------. "
has "and counted" out "Black: 6 in hand, 1 lost"

printf 'c2 a3 c3 a1 c1\nb1\nundo\n' >"$tmp/in"
play --rules three --black human
has "a turn after the end" out "The game is over: undo, new or quit."
equal "the last turn may be taken back" "*" "$(tail -1 "$tmp/out")"

echo "" >"$tmp/in"
play --position 'W../W../.../....../B../B../B.. w 0,0 0 0' --black human
code_is "a finished position" 0
has "says how it ended" out "White has only two men left. Black won."

# The computer.
echo >"$tmp/in"
play --rules three --white computer --black computer --time 0.05
code_is "two computers" 0
has "play to the end" out "White plays "
equal "and then stop" true "$(tail -1 "$tmp/out" | grep -qE '^(1-0|0-1|1/2-1/2) ' && echo true)"
echo "d6" >"$tmp/in"
play --time 0.05
has "the computer answers" out "Black plays "
has "and says whom it plays" out "Black (computer): 8 in hand, 0 lost"
has "the person is you" out "Your turn: place a man."
echo >"$tmp/in"
play --white computer --time 0.05
has "White computer alone leaves Black to the person" out "Black (you): 9 in hand"
printf 'd6\nundo\n' >"$tmp/in"
play --time 0.05
equal "undo takes back the computer's turn and one's own" ".../.../.../....../.../.../... w 9,9 0 0" \
	"$(tail -2 "$tmp/out" | head -1)"

# Turns of a game that the computer would lose at once must win for the person: it is told in the first person.
printf 'c1\n' >"$tmp/in"
play --rules three --position 'B../.BW/..W w 1,1 0 0'
code_is "a mill of the person's" 0

# Levels. A mill that alone wins is seen by all of them, and nobody is kept waiting: an hour is only the most.
for level in 1 4 9; do
	printf 'c2\n' >"$tmp/in"
	play --rules three --position 'BB./.../WW. w 1,1 0 0' --level $level --time 3600
	has "level $level closes its mill" out "Black plays c3."
	echo >"$tmp/in"
	play --rules six --white computer --level $level --time 3600
	has "level $level answers from the start" out "White plays "
done
printf 'c2\n' >"$tmp/in"
play --rules three --position 'BB./.../WW. w 1,1 0 0' --level 10 --threads 2 --hash 1
has "level 10 with two threads" out "Black plays c3."

# Hints.
printf 'hint\nc1\nhint\n' >"$tmp/in"
play --rules three --position 'BB./.../WW. w 1,1 0 0'
has "a hint in words" out "Hint: place a man on c1."
has "and as it is written" out "That is written c1."
has "and on the board" out "  1  W---W--*.*"
has "and none when the game is over" out "The game is over: undo, new or quit."
printf 'hint\nboard\nd6-d7xg4\nboard\n' >"$tmp/in"
play --position 'W.W/.W./.../.....B/.../BB./... w 0,0 0 0' --black human
has "a hint with a take" out "Hint: move the man on d6 to d7 and take the man on "
equal "the man that moves and where it goes are marked, until it has moved" 2 "$(grep -c '\*W\*' "$tmp/out")"

echo >"$tmp/in"
play --white nobody
refused "a player that is none" 2 "--white: 'nobody' is neither human nor computer"
for time in 0 -1 x 1x '' 1e9 nan inf; do
	echo >"$tmp/in"
	play --time "$time"
	refused "a time of '$time'" 2 "--time: '$time' is no number of seconds"
done
for option in '--level 0' '--level 11' '--level x' '--threads 0' '--hash 0'; do
	echo >"$tmp/in"
	# shellcheck disable=SC2086
	play $option
	refused "$option" 2 "${option% *}: '"
done
echo >"$tmp/in"
play extra
refused "an argument too many" 2 "unexpected argument 'extra'"
"$merels" play </dev/null >"$tmp/out" 2>"$tmp/err"
code=$?
code_is "no terminal is as --plain" 0
has "no terminal is as --plain" out "Your turn: place a man."
finish
