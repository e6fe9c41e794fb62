import { randomBytes } from 'node:crypto';

import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { runReceiver } from '../engine.ts';
import { KitError } from '../errors.ts';
import { openOutputs } from '../outputs.ts';
import { receiverPlan } from '../receiverPlan.ts';
import { reportRun } from '../reporting.ts';
import type { RunSummary } from '../../reports/summary.ts';
import type { CommandInput } from './command.ts';
import { programOf } from './programOf.ts';
import type { World } from './world.ts';
import { indented } from './indented.ts';

/** The mistake that receivers make most often. */
const faultName = 'verifies-reserialised-json';

/** What `seaworthy demo` does. @returns the exit code */
export async function playDemo({ world }: CommandInput): Promise<number> {
  say(world, [
    'Part 1 of 2: a receiver that keeps the contract.',
    'The reference receiver runs on this machine. The kit plays the service: it sends it thousands of notifications, right and wrong ones, and asks it how often each took effect.',
  ]);
  const right = await hold(world, {});
  if (right.interrupted) return 130;
  require(right.verdict !== 'does-not-conform' &&
    right.lost === undefined, 'the reference receiver does not conform', right);
  const { receiverFaults } = await import('../../reference/faults/receiver.ts');
  const { conformingPolicies } = await import('../../reference/receiver/conformingPolicies.ts');
  const fault = receiverFaults[faultName];
  if (fault === undefined) throw new TypeError(`the reference has no fault ${faultName}`);
  say(world, [
    'Part 2 of 2: the same receiver with one mistake.',
    `Its mistake, "${faultName}": ${fault.summary} The report now begins with the failures. Of each, look for the smallest case, what was expected, and what came back. (The curl line would show it again; here it is only to be read, because this receiver ends with the demo.)`,
  ]);
  const wrong = await hold(world, fault.change(conformingPolicies));
  if (wrong.interrupted) return 130;
  const broken = wrong.requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
  require(broken.includes(fault.breaks[0]), `the mistake ${faultName} was not found`, wrong);
  say(world, [
    'That was the demo.',
    `The first receiver broke nothing; the second one broke ${broken.join(', ')}, as it should. Now your own: ${programOf(world)} receiver <url> --secret <secret> --probe <url with {id}>`,
  ]);
  return 0;
}

/** One run against the reference receiver with these policies, reported on standard output. */
async function hold(world: World, policies: Partial<ReceiverPolicies>): Promise<RunSummary> {
  const { startReceiver } = await import('../../reference/receiver/receiver.ts');
  const secret = randomBytes(24).toString('base64url');
  const receiver = await startReceiver({ secrets: [secret], policies });
  try {
    const plan = await receiverPlan(receiver.url, { secret: [secret], probe: receiver.probe, signal: world.signal });
    const outputs = openOutputs([{ format: 'terminal' }], { ...world, runId: plan.runId });
    try {
      return await reportRun(runReceiver(plan), outputs.reporters);
    } finally {
      outputs.close();
    }
  } finally {
    await receiver.close();
  }
}

function say({ stdout }: World, [heading, text]: readonly [string, string]): void {
  const columns = Math.min(stdout.columns, 100);
  stdout.write(`\n${'='.repeat(columns)}\n${heading}\n\n${indented(text, columns, '')}\n${'='.repeat(columns)}\n\n`);
}

function require(held: boolean, received: string, { verdict }: RunSummary): void {
  if (held) return;
  throw new KitError('SW_DEMO_UNEXPECTED', {
    received: `${received} (verdict: ${verdict})`,
    next: 'report it with the reports above and the journals in .seaworthy/runs',
  });
}
