# Games of the vectors through `merels replay`, and one of each rule set through plain play: the same end.
. "$(dirname "$0")/lib.sh"

# One in ten: `merels vectors` plays them all, here it is the program around them that is tested.
vectors=$tmp/vectors
awk 'NR % 10 == 1' "$source_folder/tests/vectors/games.txt" >"$vectors"
# The answers are gathered and compared once; a process for each comparison would take most of the time.
sed -n 's/^.* | \(.*\) | \(.*\)$/\2\n\1/p' "$vectors" >"$tmp/expected"
sed 's/ | .*//' "$vectors" >"$tmp/games"
while read -r rules turns; do
	"$merels" replay --rules "$rules" $turns >>"$tmp/replayed" 2>&1 </dev/null
done <"$tmp/games"
equal "as many games as the vectors have" "$(grep -c '|' "$vectors")" "$(($(wc -l <"$tmp/expected") / 2))"
if cmp -s "$tmp/expected" "$tmp/replayed"; then
	pass
else
	fail "replay of the games of the vectors"
	diff "$tmp/expected" "$tmp/replayed" | head -20
fi

for rules in $(cut -d' ' -f1 "$tmp/games" | sort -u); do
	grep "^$rules " "$vectors" | tail -1 >"$tmp/line"
	sed 's/^[^ ]* //; s/ | .*//' "$tmp/line" | tr ' ' '\n' >"$tmp/turns"
	"$merels" play --plain --rules "$rules" --black human <"$tmp/turns" >"$tmp/out" 2>"$tmp/err"
	code=$?
	code_is "plain play of $rules" 0
	equal "plain play of $rules ends the same" "$(sed -n 's/^.* | \(.*\) | \(.*\)$/\2\n\1/p' "$tmp/line")" \
		"$(tail -2 "$tmp/out")"
done
finish
