#!/usr/bin/env node
'use strict';

// The first file of the program. Every Node since 10 has to understand it: one that is too old for the rest then says so,
// and does not end with a SyntaxError, whose exit code 1 would say that the target broke a MUST.

var existsSync = require('fs').existsSync;
var join = require('path').join;

/** The oldest Node that runs the kit, as `engines` in package.json has it. */
var oldest = [24, 18];

/** @param {string} version - as in `24.18.0` */
function isTooOld(version) {
  var parts = version.split('.').map(Number);
  return parts[0] < oldest[0] || (parts[0] === oldest[0] && parts[1] < oldest[1]);
}

/** A clone has sources, which Node runs as they are; a package has what was built of them. */
function start() {
  return import(existsSync(join(__dirname, 'main.js')) ? './main.js' : './main.ts');
}

if (isTooOld(process.versions.node)) {
  process.stderr.write(
    'seaworthy: this needs Node ' +
      oldest.join('.') +
      ' or later, and was started by Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      '): install a newer one from https://nodejs.org, and start it with that\n' +
      '  code:  SW_NODE_TOO_OLD\n',
  );
  process.exitCode = 2;
} else {
  start().catch(function (error) {
    process.stderr.write(
      'seaworthy: this is a bug of seaworthy: it cannot be loaded\n' + (error.stack || error) + '\n',
    );
    process.exitCode = 70;
  });
}
