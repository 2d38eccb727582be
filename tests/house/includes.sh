# shellcheck shell=sh
# includes.sh ROOT ROOM COMPILER FOLDER...
#
# Compiles one include at a time with what the room sees: every header that it may include must be found, and every
# other, public or another room's own, must not.
set -eu
root=$1 room=$2 compiler=$3
shift 3
. "$root/tests/house/rooms.sh"

view=
for folder; do
	view="$view -I$folder"
done

finds() {
	# shellcheck disable=SC2086 # a list of words
	printf '#include <%s>\n' "$1" | "$compiler" -std=c17 -fsyntax-only $view -x c - 2>/dev/null
}

status=0
complain() {
	echo "$1"
	status=1
}

seen=$(rooms_seen_by "$room")
tried=0
for other in $all_rooms; do
	case " $seen " in
	*" $other "*) may=yes ;;
	*) may=no ;;
	esac
	for header in $(headers_of "$other"); do
		tried=$((tried + 1))
		if finds "$header"; then
			[ $may = yes ] || complain "src/$room can include <$header> of src/$other, which it must not"
		else
			[ $may = no ] || complain "src/$room cannot include <$header> of src/$other, which it may"
		fi
	done
	[ "$other" = "$room" ] && continue
	# What a room shares only inside itself is nobody else's business.
	for header in "$root/src/$other"/*.h; do
		[ -e "$header" ] || continue
		name=$(basename "$header")
		[ -e "$root/src/$room/$name" ] && continue
		tried=$((tried + 1))
		finds "$name" && complain "src/$room can include $name of src/$other, which it must not"
	done
done

# A header that nobody is known to own is tested by nobody.
for header in "$root"/include/merels/*.h; do
	name=merels/$(basename "$header")
	for other in $all_rooms; do
		case " $(headers_of "$other" | tr '\n' ' ') " in
		*" $name "*) continue 2 ;;
		esac
	done
	complain "<$name> is of no room; say whose it is in tests/house/rooms.sh"
done

echo "src/$room: $tried includes tried"
exit $status
