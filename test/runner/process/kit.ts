import type { ProcessSpec } from '../../../runner/process/targetProcess.ts';
import { openProcess } from '../../../runner/process/openProcess.ts';

/** A kit that starts a target and says so, and goes on until somebody kills it: `kit.ts <spec> <url> <output file>`. */
const [spec = '', url = '', outputFile = ''] = process.argv.slice(2);
const targetProcess = await openProcess(JSON.parse(spec) as ProcessSpec, { url: new URL(url), outputFile });
await targetProcess.start();
process.stdout.write('started\n');
setInterval(() => {}, 60_000);
