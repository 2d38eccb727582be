# For the tests of the program; sourced by them with the arguments MERELS and SOURCE.
# Each check says what it holds; the last line is `N passed, N failed`.
merels=$1
source_folder=$2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# What is drawn must not depend on who runs the tests.
LC_ALL=C
export LC_ALL
unset MERELS NO_COLOR
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME

# run ARGUMENT...: runs the program; $code, $tmp/out and $tmp/err have what came of it.
run() {
	"$merels" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	code=$?
}

pass() { passed=$((passed + 1)); }

fail() {
	failed=$((failed + 1))
	echo "FAILED: $*"
}

# equal WHAT EXPECTED FOUND
equal() {
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1: expected"
		printf '%s\n' "$2" | sed 's/^/    /'
		echo "  found"
		printf '%s\n' "$3" | sed 's/^/    /'
	fi
}

# code_is WHAT CODE: the exit code of the last run.
code_is() { equal "$1: exit code" "$2" "$code"; }

# out_is WHAT TEXT: all that the last run printed.
out_is() { equal "$1" "$2" "$(cat "$tmp/out")"; }

# has WHAT FILE TEXT: the text occurs in the output or the errors of the last run.
has() {
	if grep -qF -e "$3" "$tmp/$2"; then
		pass
	else
		fail "$1: expected in $2: $3"
		sed 's/^/    /' "$tmp/$2" | head -20
	fi
}

# quiet WHAT FILE: nothing was printed there.
quiet() { equal "$1: nothing on $2" "" "$(cat "$tmp/$2")"; }

# refused WHAT CODE TEXT: exit code, the message on one line of stderr, nothing on stdout, and no crash.
refused() {
	code_is "$1" "$2"
	has "$1" err "$3"
	quiet "$1" out
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}
