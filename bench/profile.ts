import type { RunEvent } from '../reports/model/events.ts';
import { receiverPlan } from '../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../runner/receiver/runReceiver.ts';
import { runService } from '../runner/service/runService.ts';
import { servicePlan } from '../runner/service/servicePlan.ts';
import { CpuProfile } from './cpuProfile.ts';
import { startService } from './serviceRun.ts';
import { startReference } from './startReference.ts';
import { aligned } from './table.ts';

/**
 * Where each second of a run goes: CPU by room, waits by reason. `node bench/profile.ts receiver` or `service`, at the
 * standard intensity, against the reference in a process of its own.
 */
async function main(): Promise<void> {
  const [subject] = process.argv.slice(2);
  if (subject !== 'receiver' && subject !== 'service') throw new Error('Say receiver or service.');
  const target = subject === 'receiver' ? await receiverRun() : await serviceRun();
  const profile = await CpuProfile.start();
  const requests: (readonly [from: number, to: number])[] = [];
  const begun = performance.now();
  for await (const event of target.events()) {
    if (event.type !== 'delivery.finished' && event.type !== 'call.finished') continue;
    requests.push([begun + event.ms - event.answer.ms, begun + event.ms]);
  }
  const wall = performance.now() - begun;
  const { idle, busy } = await profile.stop();
  await target.close();
  const asking = idle.filter(({ at }) => requests.some(([from, to]) => from <= at && at <= to));
  const [answers, all] = [sum(asking), sum(idle)];
  const waits = [
    [`an answer of the ${subject}`, answers],
    ['with no request under way: effects, absences, pauses, retries', all - answers],
  ] as const;
  const used = [...busy].toSorted(([, one], [, other]) => other - one);
  const lines = [
    ...waits.map(([why, ms]) => [`wait: ${why}`, ms] as const),
    ...used.map(([room, ms]) => [`CPU: ${room}`, ms] as const),
  ];
  console.log(`A run of a ${subject} took ${seconds(wall)} s.`);
  console.log(aligned([['where', 'seconds'], ...lines.map(([where, ms]) => [where, seconds(ms)])]));
}

interface ProfiledRun {
  events(): AsyncIterable<RunEvent>;
  close(): Promise<void>;
}

async function receiverRun(): Promise<ProfiledRun> {
  const reference = await startReference();
  const [url = '', , secret = '', , probe = ''] = reference.words;
  const plan = await receiverPlan(url, { secret: [secret], probe, intensity: 'standard', seed: 1 });
  return { events: () => runReceiver(plan), close: () => reference.close() };
}

async function serviceRun(): Promise<ProfiledRun> {
  const service = await startService('20ms');
  const { url, token, emit, trackable, untrackable } = service.addresses;
  const tracked = (text: string) => {
    const [issuer = '', number = ''] = text.split(':');
    return [{ issuer, number }];
  };
  const numbers = { trackable: tracked(trackable), untrackable: tracked(untrackable) };
  const plan = await servicePlan(url, { token, emit, ...numbers, intensity: 'standard', seed: 1 });
  return { events: () => runService(plan), close: () => service.close() };
}

function sum(parts: readonly { readonly ms: number }[]): number {
  return parts.reduce((total, { ms }) => total + ms, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

await main();
