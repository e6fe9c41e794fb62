import { availableParallelism } from 'node:os';

import { bareUndici, cannon, type Contender, deliverer, engine } from './contenders.ts';
import { nextDelivery, notificationsPerSecond } from './generate.ts';
import { judgedPerSecond, opinionsPerSecond } from './opinions.ts';
import { spreadOf } from './spread.ts';
import { startServer } from './startServer.ts';
import { table } from './table.ts';

const rounds = 5;
const deliveriesARound = 8_000;

const contenders: Readonly<Record<string, Contender>> = {
  'bare undici pool': bareUndici,
  'seaworthy, deliverer alone': deliverer,
  'seaworthy, whole engine': engine,
  autocannon: cannon,
};

/** Rates of every contender, round by round: each round runs all of them, beginning with another one each time. */
async function race(): Promise<ReadonlyMap<string, readonly number[]>> {
  const server = await startServer();
  const deliveries = Array.from({ length: deliveriesARound }, nextDelivery);
  const names = Object.keys(contenders);
  const rates = new Map(names.map((name): [string, number[]] => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + names.length) % names.length]!;
      const rate = await contenders[name]!(server.url, deliveries);
      if (round >= 0) rates.get(name)!.push(rate);
    }
  }
  await server.close();
  return rates;
}

function raceTable(rates: ReadonlyMap<string, readonly number[]>): string {
  const base = rates.get('bare undici pool')!;
  const rows = [...rates].map(([name, own]) => ({
    name,
    spreads: [
      [spreadOf(own), 0],
      [spreadOf(own.map((rate, round) => rate / base[round]!)), 2],
    ] as const,
  }));
  return table(['deliveries per second', 'ratio to the bare pool'], rows);
}

/** The two take turns, so that what else the machine does falls on both. */
function opinionTable(): string {
  const measured = Array.from({ length: rounds + 1 }, () => [judgedPerSecond(300), opinionsPerSecond(300)] as const);
  const rates = measured.slice(1);
  const row = (name: string, which: 0 | 1) => ({
    name,
    spreads: [
      [spreadOf(rates.map((rate) => rate[which])), 0],
      [spreadOf(rates.map((rate) => rate[which] / rate[0])), 2],
    ] as const,
  });
  return table(
    ['answers per second', 'ratio to the kit alone'],
    [row('read, checked by schema', 0), row('given a second opinion', 1)],
  );
}

notificationsPerSecond(1000);
const generated = spreadOf(Array.from({ length: rounds }, () => notificationsPerSecond(500)));
console.log(`Node ${process.version}, ${availableParallelism()} cores, ${process.platform} ${process.arch}
${rounds} rounds after one to warm up; ${deliveriesARound} deliveries a round, 10 connections
`);
console.log(table(['per second'], [{ name: 'generated, written, signed', spreads: [[generated, 0]] }]));
console.log();
console.log(opinionTable());
console.log();
console.log(raceTable(await race()));
console.log(`
The server (node:http, answers 202) is another process on the same machine. Only
the ratios within one run say anything: the numbers per second depend on the
machine and on what else it does. The pool and autocannon send deliveries that
were made beforehand; the engine makes its own, judges each answer, and reports it.
autocannon sends for one second each time, whatever the number of deliveries.`);
