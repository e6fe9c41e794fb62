import { boundHeap } from '../runner/cli/boundHeap.ts';
import { engineRun } from './contenders.ts';

/** A process that runs the engine, and sends its parent the most megabytes that it held. */
boundHeap();
const [url = '', deliveries = ''] = process.argv.slice(2);
await engineRun(new URL(url), Number(deliveries), 10);
process.send?.(process.resourceUsage().maxRSS / 1024, () => process.exit());
