import bundlePrograms from '../bundlePrograms.ts';
import { receivers } from './receivers.ts';
import { services } from './services.ts';
import { visit } from './visit.ts';

const tables = { receiver: receivers, service: services };

/** Visits every target whose kind and name hold these words: `npm run zoo -- service list`. */
async function main([kind = '', ...words]: readonly string[]): Promise<void> {
  await bundlePrograms();
  for (const [name, targets] of Object.entries(tables)) {
    if (!name.startsWith(kind)) continue;
    for (const target of targets.filter((each) => each.name.includes(words.join(' ')))) {
      const { code, verdict, seconds, megabytes, complaints, text } = await visit(target);
      const figures = `exit ${code}, ${verdict}, ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
      process.stdout.write(`${complaints.length === 0 ? 'ok ' : 'BAD'} ${name}: ${target.name}: ${figures}\n`);
      for (const complaint of complaints) process.stdout.write(`      ${complaint}\n`);
      if (words.length > 0) process.stdout.write(text);
    }
  }
}

await main(process.argv.slice(2));
