import { serviceRun } from './serviceRun.ts';

/** Pauses between the attempts of the service, one after the other. */
const backoff = ['20ms', '1700ms'] as const;

async function measure(pause: string): Promise<string> {
  const { wall, series, exit } = await serviceRun(pause);
  const times = [wall, series].map((ms) => (ms / 1000).toFixed(1).padStart(8));
  return `${pause.padEnd(12)}${times.join('')}${(wall / series).toFixed(2).padStart(8)}${String(exit).padStart(6)}`;
}

console.log('pause         run, s  series   ratio  exit');
for (const pause of backoff) console.log(await measure(pause));
console.log(`
The whole run of seaworthy service at the standard intensity, start of the program
included, beside the longest series of attempts in it. Every pause is 20 % longer or
shorter, by chance. Only the ratio says anything, and only for a long series: with a
short one the run takes the time of its calls and of its absences.`);
