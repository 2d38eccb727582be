# Help, version, unknown commands and options.
. "$(dirname "$0")/lib.sh"

run --version
code_is "version" 0
has "version" out "merels $(sed -n 's/.*MRL_VERSION "\(.*\)"/\1/p' "$source_folder/include/merels/version.h")"

run --help
code_is "help" 0
quiet "help" err
for command in play serve rules legal replay perft check convert engine match analyze tables vectors bench completion; do
	has "the help lists every command" out "  $command"
done
for number in 0 1 2 3; do
	has "the help lists the exit codes" out "  $number  "
done
cp "$tmp/out" "$tmp/help"

for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/help"); do
	run "$command" --help
	code_is "$command --help" 0
	quiet "$command --help" err
	has "$command --help" out "Usage: merels $command"
	has "$command --help" out "Options:"
	has "$command --help" out "Examples:"
	equal "$command --help fits 100 columns" "" "$(awk 'length > 100' "$tmp/out")"
	equal "$command --help: each form of the usage has a verb, or goes on without the name" "" \
		"$(grep -e "merels $command  " "$tmp/out")"
	cp "$tmp/out" "$tmp/command"
	run help "$command"
	equal "merels help $command is the same" "$(cat "$tmp/command")" "$(cat "$tmp/out")"
	run "$command" -h
	equal "merels $command -h is the same" "$(cat "$tmp/command")" "$(cat "$tmp/out")"
	run "$command" --no-such-option
	refused "$command with an unknown option" 2 "unknown option '--no-such-option'"
	has "where help is" err "Try 'merels $command --help'."
done

run
refused "no command" 2 "a command is missing"
run perf
refused "a command misspelt" 2 "unknown command 'perf', did you mean 'perft'?"
run lgeal
refused "two letters swapped" 2 "did you mean 'legal'?"
run comp
refused "the beginning of a command" 2 "did you mean 'completion'?"
run xyzzy
refused "a command like no other" 2 "unknown command 'xyzzy'"
equal "no suggestion for it" "" "$(grep 'did you mean' "$tmp/err")"
run --verison
refused "an unknown option before the command" 2 "unknown option '--verison'"
run ""
refused "an empty command" 2 "unknown command ''"
run help nosuch
refused "help for an unknown command" 2 "unknown command 'nosuch'"

run legal --ruels nine
refused "an option misspelt" 2 "did you mean '--rules'?"
run legal --rules
refused "an option without its argument" 2 "the option '--rules' needs an argument"
run legal -r
refused "a short option without its argument" 2 "the option '-r' needs an argument"
run legal -Z
refused "an unknown short option" 2 "unknown option '-Z'"
run perft --divide=yes --depth 1
refused "an argument for an option that takes none" 2 "the option '--divide' takes no argument"
run legal --rules three extra
refused "an argument too many" 2 "unexpected argument 'extra'"
run legal --rul=three
code_is "an option may be shortened" 0
run legal -rthree
code_is "a short option with its argument" 0
finish
