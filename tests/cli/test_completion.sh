# merels completion.
. "$(dirname "$0")/lib.sh"

run completion bash
code_is "bash" 0
cp "$tmp/out" "$tmp/bash"
run completion zsh
code_is "zsh" 0
cp "$tmp/out" "$tmp/zsh"

# complete_bash WORD...: what bash would offer for the last word, sorted, on one line.
complete_bash() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _merels; printf "%s\n" "${COMPREPLY[@]}"' \
		complete "$tmp/bash" "$@" | sort | tr '\n' ' ' | sed 's/ $//'
}

run --help
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/out")
equal "every command" "$(printf '%s\n' $commands help --help --version | sort | tr '\n' ' ' | sed 's/ $//')" \
	"$(complete_bash merels '')"
equal "the beginning of a command" "perft" "$(complete_bash merels per)"
for command in $commands; do
	run "$command" --help
	options=$(sed -n '/^Options:/,/^$/s/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' "$tmp/out" | sort | tr '\n' ' ' |
		sed 's/ $//')
	equal "every option of $command" "$options" "$(complete_bash merels "$command" --)"
	for option in $options; do
		grep -q -e "'$option[=[]" "$tmp/zsh" && pass || fail "zsh: $option of $command"
	done
	grep -q "^	$command)" "$tmp/zsh" && pass || fail "zsh: $command"
done
run rules
presets=$(awk '{print $1}' "$tmp/out" | sort | tr '\n' ' ' | sed 's/ $//')
equal "rule sets after --rules" "$presets" "$(complete_bash merels legal --rules '')"
equal "rule sets after -r" "$presets" "$(complete_bash merels legal -r '')"
equal "rule sets after --rules=" "nine nine-holes" "$(complete_bash merels legal --rules = nin)"
equal "rule sets after --rules= and nothing" "$presets" "$(complete_bash merels legal --rules =)"
equal "rule sets of merels rules" "$presets" "$(complete_bash merels rules '')"
equal "who plays" "computer human" "$(complete_bash merels play --white '')"
equal "shells" "bash zsh" "$(complete_bash merels completion '')"
touch "$tmp/some file"
equal "files" "$tmp/some file" "$(complete_bash merels vectors "$tmp/so")"
equal "nothing for a position" "" "$(complete_bash merels legal --position '')"

run completion
refused "no shell" 2 "name one shell, bash or zsh"
run completion fish
refused "another shell" 2 "'fish' is no shell that is known"
finish
