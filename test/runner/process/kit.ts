import type { LifeSpec } from '../../../runner/process/life.ts';
import { openLife } from '../../../runner/process/openLife.ts';

/** A kit that starts a target and says so, and goes on until somebody kills it: `kit.ts <spec> <url> <output file>`. */
const [spec = '', url = '', outputFile = ''] = process.argv.slice(2);
const life = await openLife(JSON.parse(spec) as LifeSpec, { url: new URL(url), outputFile });
await life.start();
process.stdout.write('started\n');
setInterval(() => {}, 60_000);
