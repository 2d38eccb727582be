# shellcheck shell=sh
# headers.sh ROOT ROOM COMPILER FOLDER...
#
# Compiles each header of a room, public and its own, with nothing before it: as C17, and the public ones as C++ too.
set -eu
root=$1 room=$2 compiler=$3
shift 3
. "$root/tests/house/rooms.sh"

view=
for folder; do
	view="$view -I$folder"
done
strict="-fsyntax-only -Wall -Wextra -Wpedantic -Wundef -Wstrict-prototypes -Werror"

status=0
# alone LANGUAGE HEADER FLAG...
alone() {
	language=$1 header=$2
	shift 2
	# shellcheck disable=SC2086 # lists of words
	printf '#include <%s>\nextern int something;\n' "$header" | "$compiler" "$@" $view -x "$language" - || {
		echo "<$header> of src/$room does not compile alone as $language"
		status=1
	}
}

tried=0
for header in $(headers_of "$room"); do
	# shellcheck disable=SC2086
	alone c "$header" -std=c17 $strict
	tried=$((tried + 1))
	# gcc has no C++ in it where g++ is not installed.
	if printf 'int main() { return 0; }\n' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null; then
		alone c++ "$header" -std=c++17 -fsyntax-only -Wall -Wextra -Werror
		tried=$((tried + 1))
	fi
done
for header in "$root/src/$room"/*.h; do
	[ -e "$header" ] || continue
	# Rooms with POSIX in them are compiled with it.
	# shellcheck disable=SC2086
	alone c "$(basename "$header")" -std=c17 -D_POSIX_C_SOURCE=200809L $strict
	tried=$((tried + 1))
done
echo "src/$room: $tried times compiled"
exit $status
