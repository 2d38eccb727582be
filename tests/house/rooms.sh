# shellcheck shell=sh disable=SC2034,SC2154
# Which headers are whose, and who sees whom: the arrows of docs/ARCHITECTURE.md, written down once more so that the
# build cannot quietly change them. Sourced by the tests beside it.

# headers_of ROOM: its public headers, as they are included.
headers_of() {
	case $1 in
	rules) echo merels/builtins.h merels/rules.h merels/status.h merels/text.h merels/version.h ;;
	notation) echo merels/notation.h merels/record.h ;;
	search) echo merels/search.h ;;
	player) echo merels/player.h ;;
	play) echo merels/play.h merels/play_event.h merels/rating.h merels/lobby.h ;;
	server) echo merels/server.h merels/admin.h ;;
	client) echo merels/client.h ;;
	bus) echo merels/bus.h ;;
	work) echo merels/work.h merels/shelf.h ;;
	store) echo merels/store.h merels/store_change.h merels/store_node.h merels/store_values.h ;;
	tables) echo merels/perfect.h merels/table.h ;;
	os) (cd "$root/src" && ls os/*.h | grep -v refuse.h) ;; # that one is for the room alone
	*) return 1 ;;
	esac
}

# rooms_seen_by ROOM: itself and those it may include.
rooms_seen_by() {
	case $1 in
	rules) echo rules ;;
	notation) echo notation rules ;;
	search) echo search rules ;;
	os) echo os rules ;;
	player) echo player search os rules ;;
	play) echo play notation rules ;;
	server) echo server play store bus work player search tables notation os rules ;;
	store) echo store os rules ;;
	bus) echo bus os rules ;;
	work) echo work bus player search tables notation os rules ;;
	client) echo client rules ;;
	tables) echo tables os rules ;;
	*) return 1 ;;
	esac
}

all_rooms="rules notation search os player tables play store bus work server client"
