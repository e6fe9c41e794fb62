#!/bin/sh
# Node takes the types out of a file, but knows no decorators: serve.sh wrong compiles them first. `nest start` does it in a project.
cd "$(dirname "$0")/../.." || exit 1
file="node_modules/.cache/nestjs-$1.mjs"
node_modules/.bin/esbuild "examples/nestjs/$1.ts" --format=esm --outfile="$file" --log-level=error || exit 1
exec node_modules/.bin/node "$file"
