#!/bin/sh
# The probe: reads ids, one a line, and prints each with the number of lines that the hook's command wrote for it.
awk 'NR == FNR { count[$1]++; next } { print $1, count[$1] + 0 }' "$(dirname "$0")/effects.log" -
