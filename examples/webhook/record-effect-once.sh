#!/bin/sh
# The same effect, once for each id: of all who make the directory of an id, only the first one succeeds.
mkdir "effects.log.seen/$1" 2>/dev/null || exit 0
printf '%s\n' "$1" >> effects.log
