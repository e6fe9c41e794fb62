#!/bin/sh
# The hook's command, and its whole effect: one line with the id of the notification.
printf '%s\n' "$1" >> effects.log
