#!/bin/sh
# merels migrate: what it says and how it ends. That everything is moved is tests/store/test_move.c's business.
. "$(dirname "$0")/lib.sh"
unset MERELS_STORE MERELS_DATA

run migrate
code_is "migrate without places" 2
has "what is missing is named" err "--from is missing"
run migrate --from sqlite:x.db
code_is "migrate from somewhere" 2
has "what is missing is named" err "--to is missing"
run migrate --from sqlite:x.db --to sqlite:y.db z
code_is "migrate with something more" 2

run migrate --from "sqlite:$tmp/none.db" --to "sqlite:$tmp/new.db"
code_is "a club that is not there" 3
has "it is named" err "$tmp/none.db: there is no such database"
[ -e "$tmp/new.db" ] && fail "a database was made for nothing" || pass
run migrate --from "sqlite:$tmp/none.db" --to "postgres:host=$tmp dbname=club password=secret"
code_is "nothing to PostgreSQL" 3

# A kind of database that there is not is no file of that name.
here=$PWD
mkdir "$tmp/here" "$tmp/files"
echo page >"$tmp/files/index.html"
cd "$tmp/here" || exit 1
case $merels in /*) ;; *) merels=$here/$merels ;; esac
for place in postgre:club mysql:x postgre://u:secret@h/club; do
	kind=${place%%:*}
	run serve --store "$place" --data "$tmp/here" --listen 127.0.0.1:0 --web "$tmp/files"
	refused "a server on $kind" 2 "$kind: is no kind of database; there are sqlite:, postgres: and postgresql:"
	run migrate --from "sqlite:$tmp/none.db" --to "$place"
	refused "migrate to $kind" 2 "$kind: is no kind of database"
	run migrate --from "$place" --to "sqlite:$tmp/new.db"
	refused "migrate from $kind" 2 "$kind: is no kind of database"
	run user --store "$place" delete anna
	refused "user on $kind" 2 "$kind: is no kind of database"
	run reports --store "$place"
	refused "reports on $kind" 2 "$kind: is no kind of database"
	run backup --store "$place" "$tmp/copy.db"
	refused "backup of $kind" 2 "$kind: is no kind of database"
	equal "the password is not shown" "" "$(grep secret "$tmp/err")"
done
equal "no file was made" "" "$(ls -A "$tmp/here")"
cd "$here" || exit 1

# A club that is not there, for every command that wants one.
for command in reports "reports done x" "user delete anna" "backup $tmp/copy.db"; do
	# shellcheck disable=SC2086 # a command line
	run $command --data "$tmp/nowhere"
	refused "$command without a club" 3 "there is no such database"
done

# A club with one person in it.
mkdir "$tmp/data"
: >"$tmp/data/merels.db"
printf 'long enough\n' | "$merels" user --data "$tmp/data" add anna >"$tmp/out" 2>"$tmp/err" || fail "no club: $(cat "$tmp/err")"
run migrate --from "sqlite:$tmp/data/merels.db" --to "sqlite:$tmp/new.db"
code_is "a club is moved" 0
equal "one person was moved" 1 "$(sed -n 's/^people  *\([0-9]*\)  [0-9a-f]*$/\1/p' "$tmp/out")"
has "the end says how much" out "1 rows are moved, and are the same"
quiet "a club is moved" err
cp "$tmp/out" "$tmp/first"
run migrate --from "sqlite:$tmp/new.db" --to "sqlite:$tmp/third.db"
out_is "what was moved twice has the same sums" "$(cat "$tmp/first")"
run migrate --from "sqlite:$tmp/data/merels.db" --to "sqlite:$tmp/new.db"
code_is "a place that is not empty" 3
has "it is said" err "people: there is something in this table already"
quiet "a place that is not empty" out
run migrate --from "sqlite:$tmp/data/merels.db" --to "sqlite:$tmp/data/merels.db"
code_is "a club to where it is" 3
ln "$tmp/data/merels.db" "$tmp/hard.db"
ln -s data/merels.db "$tmp/soft.db"
for same in "$tmp/data/../data/merels.db" "$tmp/hard.db" "$tmp/soft.db"; do
	run migrate --from "sqlite:$tmp/data/merels.db" --to "sqlite:$same"
	refused "a club to where it is, as $same" 3 "a club cannot be moved to where it is"
done
rm "$tmp/hard.db" "$tmp/soft.db"

# A move that fails leaves no file beside a database that it did not make.
mkdir "$tmp/bare"
cp "$tmp/data/merels.db" "$tmp/bare/from.db"
cp "$tmp/data/merels.db" "$tmp/bare/to.db"
echo "no database, but a text that is long enough to be taken for one, somehow" >"$tmp/bare/text.db"
# SQLite keeps its own two files beside one that was only read.
clubs() { ls "$tmp/bare" | grep -v -e "-wal\$" -e "-shm\$"; }
before=$(clubs)
run migrate --from "sqlite:$tmp/bare/from.db" --to "sqlite:$tmp/bare/to.db"
code_is "a move to what is not empty" 3
equal "what failed leaves nothing" "$before" "$(clubs)"
run migrate --from "sqlite:$tmp/bare/from.db" --to "sqlite:$tmp/bare/text.db"
code_is "a move to a text" 3
equal "what failed leaves nothing" "$before" "$(clubs)"
run migrate --from "sqlite:$tmp/bare/from.db" --to "postgres:host=$tmp dbname=club"
code_is "a move to PostgreSQL that is not there" 3
equal "what failed leaves nothing" "$before" "$(clubs)"
: >"$tmp/bare/from.db-alive"
run migrate --from "sqlite:$tmp/bare/from.db" --to "sqlite:$tmp/bare/to.db"
code_is "a move to what is not empty" 3
[ -e "$tmp/bare/from.db-alive" ] && pass || fail "a file that was there is gone"

# What belongs to another verb is refused before anything is done.
run reports --data "$tmp/data" --verdict warned
refused "a verdict on nothing" 2 "--verdict goes with done and the id of a report"
for verb in add passwd delete token; do
	run user --data "$tmp/data" --days 7 "$verb" anna
	refused "days of $verb" 2 "--days goes with ban, not with $verb"
	run user --data "$tmp/data" --reason rude "$verb" anna
	refused "a reason of $verb" 2 "--reason goes with ban, not with $verb"
done
run user --data "$tmp/data" --days 7 --reason rude ban anna
code_is "days and a reason of a ban" 0

# A database that cannot be reached, with a password that nobody may see.
run migrate --from "sqlite:$tmp/data/merels.db" --to "postgres:host=$tmp dbname=club password=secret"
code_is "PostgreSQL that is not there" 3
has "it is said" err "PostgreSQL cannot be reached"
equal "the password is not shown" "" "$(cat "$tmp/out" "$tmp/err" | grep secret)"
run backup --store "postgres:host=$tmp dbname=club password=secret" "$tmp/copy.db"
code_is "a backup from PostgreSQL that is not there" 3
has "it is said" err "PostgreSQL cannot be reached"
echo page >"$tmp/index.html"
run serve --store "postgresql://merels:secret@/club?host=$tmp" --data "$tmp/data" --listen 127.0.0.1:0 --web "$tmp"
code_is "a server whose PostgreSQL is not there" 3
has "it is said" err "PostgreSQL cannot be reached"
equal "the password is not shown" "" "$(cat "$tmp/out" "$tmp/err" | grep secret)"

# A place that libpq does not understand, which it may repeat with its password.
not="libpq does not understand the place of the database"
for place in "postgresql://h/club?foo=bar" "postgres:host=$tmp port=abc" "postgres:host=$tmp dbname"; do
	run serve --store "$place" --data "$tmp/data" --listen 127.0.0.1:0 --web "$tmp"
	refused "a server on $place" 2 "$not: "
	run migrate --from "sqlite:$tmp/data/merels.db" --to "$place"
	refused "migrate to $place" 2 "$not: "
	run backup --store "$place" "$tmp/copy.db"
	refused "backup of $place" 2 "$not: "
done
for place in "postgresql://a:secret@[::1/club" "postgres:host=$tmp password=my secret" "postgres:user=a@b secret//:c"; do
	run backup --store "$place" "$tmp/copy.db"
	refused "backup of $place" 2 "$not"
	equal "the password is not shown" "" "$(grep secret "$tmp/err")"
done
run backup --store "postgres:host=$tmp,$tmp/other" "$tmp/copy.db"
refused "two servers that are not there" 3 "; connection to server on socket \"$tmp/other/"
finish
