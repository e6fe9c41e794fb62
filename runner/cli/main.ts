import { enableCompileCache } from 'node:module';

import { asFlags, writtenHelp } from './writtenHelp.ts';

// A start takes half as long where the sources were compiled before.
enableCompileCache();
const { argv, stdout } = process;
const help = writtenHelp(asFlags(argv.slice(2)), stdout.columns || 80);
// What could not be written is written again, by what can say so.
if (help === undefined) await import('./start.ts');
else stdout.once('error', () => import('./start.ts')).write(help);
