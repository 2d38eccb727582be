# The manual page tells every command, every option and every exit code of the program.
. "$(dirname "$0")/lib.sh"
page=$source_folder/packaging/man/merels.1

# section COMMAND: the page's part about a command, without markup.
section() { sed -n "/^\.SS $1\$/,/^\.S[SH] /p" "$page" | sed 's/\\-/-/g; s/\\f[BIRP]//g'; }

run --help
cp "$tmp/out" "$tmp/help"
for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/help"); do
	section "$command" >"$tmp/section"
	equal "the page has one part .SS $command" 1 "$(grep -c "^\.SS $command\$" "$page")"
	run "$command" --help
	for option in $(sed -n '/^Options:/,/^$/s/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' "$tmp/out" | grep -v -e --help); do
		grep -q -e "$option\\b" "$tmp/section" && pass || fail "$option is not in the part about $command"
	done
	for option in $(sed -n '/^Options:/,/^$/s/^  \(-.\), --.*/\1/p' "$tmp/out" | grep -v -e -h); do
		grep -q -e "$option\\b" "$tmp/section" && pass || fail "$option is not in the part about $command"
	done
	# And nothing that the program does not have.
	for option in $(grep -o -e '--[a-z-]*' "$tmp/section" | sort -u); do
		case $option in --help) continue ;; esac
		grep -q -e "$option\\b" "$tmp/out" "$tmp/help" && pass || fail "$option of the page is not in $command --help"
	done
done
for number in 0 1 2 3; do
	grep -q "^\.B $number\$" "$page" && pass || fail "exit code $number is not in the page"
done
for option in --help --version; do
	sed 's/\\-/-/g' "$page" | grep -q -e "$option" && pass || fail "$option is not in the page"
done
has_version=$(sed -n 's/.*MRL_VERSION "\(.*\)"/\1/p' "$source_folder/include/merels/version.h")
grep -q "\"Merels $has_version\"" "$page" && pass || fail "the page is not of version $has_version"
finish
