#!/bin/sh
# docs/ARCHITECTURE.md names every source file of src/ and every public header, and none that does not exist.
set -eu
root=$1
page=$root/docs/ARCHITECTURE.md
failed=0

for path in "$root"/src/*/*.[ch] "$root"/include/merels/*.h; do
	name=${path##*/}
	if ! grep -qF "\`$name\`" "$page"; then
		echo "docs/ARCHITECTURE.md does not name ${path#"$root"/}" >&2
		failed=1
	fi
done
for name in $(grep -o '`[a-z_]*\.[ch]`' "$page" | tr -d '`' | sort -u); do
	if [ -z "$(find "$root/src" "$root/include" -name "$name")" ]; then
		echo "docs/ARCHITECTURE.md names $name, which does not exist" >&2
		failed=1
	fi
done
exit $failed
