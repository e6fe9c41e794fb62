#!/bin/sh
# Runs Debian's webhook on loopback with one of the hook files beside this script: serve.sh wrong.json [port]
cd "$(dirname "$0")" || exit 1
rm -rf effects.log effects.log.seen
mkdir effects.log.seen
: > effects.log
exec webhook -hooks "${1:-wrong.json}" -ip 127.0.0.1 -port "${2:-9123}" -verbose
