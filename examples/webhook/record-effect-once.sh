#!/bin/sh
# The same effect, once for each id: of all who make the directory of an id, only the first one succeeds.
effects=${EFFECTS:-effects.log}
mkdir -p "$effects.seen"
mkdir "$effects.seen/$1" 2>/dev/null || exit 0
printf '%s\n' "$1" >> "$effects"
