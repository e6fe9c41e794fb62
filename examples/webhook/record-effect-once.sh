#!/bin/sh
# The same effect, once for each id: only the first call that makes the directory of an id succeeds.
mkdir "effects.log.seen/$1" 2>/dev/null || exit 0
printf '%s\n' "$1" >> effects.log
