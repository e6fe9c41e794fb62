import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { join, extname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { renderDocument } from '../../../reports/formats/index.ts';
import { KitError } from '../../errors.ts';
import { requirePackage } from '../../options/packages.ts';
import type { CommandInput } from '../command.ts';
import { indented } from '../../../reports/formats/terminal/page.ts';
import { type ProgramEnvironment, programOf } from '../programEnvironment.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import type { ServicePolicies } from '../../../reference/service/policies.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { runReceiver } from '../../receiver/runReceiver.ts';
import { openOutputs } from '../../output/outputs.ts';
import { receiverPlan } from '../../receiver/receiverPlan.ts';
import { reportRun } from '../../output/reporting.ts';
import { runService } from '../../service/runService.ts';
import { servicePlan } from '../../service/servicePlan.ts';
import { trackedKind } from '../../options/optionKinds.ts';
import { freePort } from '../../catcher/freePort.ts';
import { shellWord } from '../../../reports/curl/shell.ts';

/** A part of the demo: what is said before it, the run, and the requirement that must be found broken, if any. */
interface Part {
  readonly title: string;
  readonly text: string;
  readonly run: () => Promise<RunSummary>;
  readonly breaks?: string;
}

/** Mistakes that are made often, and that are easy to follow in a report. */
const receiverMistake = 'verifies-reserialised-json';
const crashMistake = 'acknowledges-before-it-stores';
const serviceMistake = 'signs-no-retry';

/** What kills a receiver; the mistake shows in one of these. */
const crashes = 'receiver/crash/*';
const lossAtCrash = 'receiver/crash/acknowledged';

/** What `seaworthy demo` does. @returns the exit code */
export async function playDemo({ programEnvironment }: CommandInput): Promise<number> {
  requirePackage('fastify', 'demo');
  const parts = await demoParts(programEnvironment);
  const summaries: RunSummary[] = [];
  for (const [index, { title, text, run, breaks }] of parts.entries()) {
    const heading = `Part ${index + 1} of ${parts.length}: ${title}`;
    say(programEnvironment, heading, text);
    const summary = await run();
    if (summary.interrupted) return 130;
    requireExpected(summary, breaks);
    summaries.push(named(summary, heading));
  }
  const page = await writePage(programEnvironment, summaries);
  say(
    programEnvironment,
    'That was the demo.',
    `Nothing is broken in the implementations without a mistake, and every mistake was found. All ${parts.length} reports are on one page, side by side: open ${page} in a browser. Now test your own: ${programOf(programEnvironment)} receiver <url> --secret <secret> --probe <url with {id}>, or ${programOf(programEnvironment)} service <base address> --token <key> --emit <url>. To develop a receiver, start a service with ${programOf(programEnvironment)} sandbox.`,
  );
  return 0;
}

async function demoParts(programEnvironment: ProgramEnvironment): Promise<readonly Part[]> {
  return [
    ...(await receiverParts(programEnvironment)),
    ...(await crashParts(programEnvironment)),
    ...(await serviceParts(programEnvironment)),
  ];
}

async function receiverParts(programEnvironment: ProgramEnvironment): Promise<readonly Part[]> {
  const { receiverFaults } = await import('../../../reference/faults/receiver/index.ts');
  const { conformingPolicies } = await import('../../../reference/receiver/conformingPolicies.ts');
  const fault = faultNamed(receiverFaults, receiverMistake);
  return [
    {
      title: 'a receiver that conforms.',
      text: 'The reference receiver runs on this machine. The kit plays the service: it sends the receiver thousands of valid and invalid notifications, and asks how often each took effect.',
      run: () => runReferenceReceiver(programEnvironment, {}),
    },
    {
      title: 'the same receiver with one mistake.',
      text: `Its mistake, "${receiverMistake}": ${fault.summary} The report now begins with the failures. For each, look for the smallest case, what was expected, and what came back. (The curl line would show the failure again, but this receiver ends with the demo.)`,
      run: () => runReferenceReceiver(programEnvironment, fault.change(conformingPolicies)),
      breaks: fault.breaks[0],
    },
  ];
}

async function crashParts(programEnvironment: ProgramEnvironment): Promise<readonly Part[]> {
  const { receiverFaults } = await import('../../../reference/faults/receiver/index.ts');
  const fault = faultNamed(receiverFaults, crashMistake);
  return [
    {
      title: 'a receiver that is killed many times.',
      text: 'The same receiver, now as a process that the kit starts itself. The kit kills it right after an acknowledgement, in the middle of its work, or with half a body sent. Then it restarts the receiver and counts: nothing that was acknowledged is lost, and nothing takes effect twice.',
      run: () => runReferenceProcess(programEnvironment, [crashes]),
    },
    {
      title: 'the same, with one mistake.',
      text: `Its mistake, "${crashMistake}": ${fault.summary} It does not show while the receiver runs. Look for the timeline, and for the notification that never took effect. The broken requirement is a SHOULD, so it is a warning.`,
      run: () => runReferenceProcess(programEnvironment, [lossAtCrash], crashMistake),
      breaks: fault.breaks[0],
    },
  ];
}

async function serviceParts(programEnvironment: ProgramEnvironment): Promise<readonly Part[]> {
  const { serviceFaults } = await import('../../../reference/faults/service/index.ts');
  const { conformingPolicies } = await import('../../../reference/service/conformingPolicies.ts');
  const fault = faultNamed(serviceFaults, serviceMistake);
  return [
    {
      title: 'a service that conforms.',
      text: 'Now the other side. The reference service runs on this machine, and the kit plays its clients: it calls the API, registers hundreds of webhooks, raises events, refuses deliveries in many ways, and checks what is sent, when, how often, and how it is signed. This service waits only milliseconds between its attempts, so that the demo ends soon.',
      run: () => runReferenceService(programEnvironment, {}),
    },
    {
      title: 'the same service with one mistake.',
      text: `Its mistake, "${serviceMistake}": ${fault.summary} A receiver that verifies signatures, as it should, would refuse every retry, and lose what it could not accept at once. Look for the attempt that the kit received, and for the missing header.`,
      run: () => runReferenceService(programEnvironment, fault.change(conformingPolicies)),
      breaks: fault.breaks[0],
    },
  ];
}

/** The run under the heading of its part: an address of this machine would show nobody which one it was. */
function named(summary: RunSummary, heading: string): RunSummary {
  const { kind, address } = summary.target;
  return { ...summary, target: { kind, address: `${heading.replace(/\.$/, '')} (${address})` } };
}

/** @returns the path of the page that shows all runs, as the user would write it */
async function writePage({ workingDirectory }: ProgramEnvironment, summaries: readonly RunSummary[]): Promise<string> {
  const text = await renderDocument('html', { kind: 'matrix', summaries });
  const path = join('.seaworthy', 'demo.html');
  await writeFile(join(workingDirectory, path), text);
  return path;
}

function faultNamed<Fault>(faults: Readonly<Record<string, Fault>>, name: string): Fault {
  const fault = faults[name];
  if (fault === undefined) throw new TypeError(`the reference has no fault ${name}`);
  return fault;
}

function say({ stdout }: ProgramEnvironment, heading: string, text: string): void {
  const columns = Math.min(stdout.columns, 100);
  stdout.write(`\n${'='.repeat(columns)}\n${heading}\n\n${indented(text, columns, '')}\n${'='.repeat(columns)}\n\n`);
}

/** @throws KitError where the run reported anything else than it is there to show */
function requireExpected(summary: RunSummary, breaks: string | undefined): void {
  const { verdict, lost, requirements, errors } = summary;
  const broken = requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
  const expected =
    breaks === undefined ? verdict !== 'does-not-conform' && lost === undefined : broken.includes(breaks);
  if (expected && errors.length === 0) return;
  const missed = breaks === undefined ? 'the reference does not conform' : `${breaks} was not found broken`;
  throw new KitError('SW_DEMO_UNEXPECTED', {
    received: `${missed} (verdict: ${verdict}; broken: ${broken.join(', ') || 'nothing'})`,
    next: 'report it with the reports above and the journals in .seaworthy/runs',
  });
}

const host = '127.0.0.1';

/**
 * Runs checks against the reference receiver as a process that the kit starts and kills, reported on standard output.
 *
 * @param only - patterns of check ids and of requirement ids
 * @param fault - the name of one; left out: the receiver keeps the contract
 */
async function runReferenceProcess(
  programEnvironment: ProgramEnvironment,
  only: readonly string[],
  fault?: string,
): Promise<RunSummary> {
  const secret = randomBytes(24).toString('base64url');
  const port = await freePort(host, new Set());
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-receiver-'));
  const own = ['--port', String(port), '--secret', secret, '--database', join(folder, 'receiver.db')];
  const command = [process.execPath, programFile(), ...own, ...(fault === undefined ? [] : ['--fault', fault])];
  const origin = `http://${host}:${port}`;
  try {
    const plan = await receiverPlan(`${origin}/hooks`, {
      secret: [secret],
      probe: `${origin}/effects/{id}`,
      start: command.map(shellWord).join(' '),
      only,
      intensity: 'quick',
      // Its effects come at once: nobody has to wait as long as a lease may take.
      settle: 1000,
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runReceiver(plan));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The receiver's program: TypeScript where this is, JavaScript in the package. */
function programFile(): string {
  return fileURLToPath(new URL(`../../../reference/receiver/main${extname(import.meta.url)}`, import.meta.url));
}

/** Runs the receiver suite against the reference receiver with these policies, reported on standard output. */
async function runReferenceReceiver(
  programEnvironment: ProgramEnvironment,
  policies: Partial<ReceiverPolicies>,
): Promise<RunSummary> {
  const { startReceiver } = await import('../../../reference/receiver/receiver.ts');
  const secret = randomBytes(24).toString('base64url');
  const receiver = await startReceiver({ secrets: [secret], policies });
  try {
    const plan = await receiverPlan(receiver.url, {
      secret: [secret],
      probe: receiver.probe,
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runReceiver(plan));
  } finally {
    await receiver.close();
  }
}

/** Milliseconds between the attempts of a service that nobody should have to wait for. */
const backoff = [20, 30, 40];

/** How long, in milliseconds, it waits for an answer. */
const timeout = 1000;

/** Runs the service suite against the reference service with these policies, reported on standard output. */
async function runReferenceService(
  programEnvironment: ProgramEnvironment,
  policies: Partial<ServicePolicies>,
): Promise<RunSummary> {
  const { startService } = await import('../../../reference/service/service.ts');
  const service = await startService({ policies, backoff, timeout });
  const { url, token, emit, trackable, untrackable } = service;
  try {
    const plan = await servicePlan(url, {
      token,
      emit,
      trackable: trackedKind.read([trackable]),
      untrackable: trackedKind.read([untrackable]),
      intensity: 'quick',
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runService(plan));
  } finally {
    await service.close();
  }
}

/** Reports a run on standard output as its user would see it. @returns what it adds up to */
async function reported(
  programEnvironment: ProgramEnvironment,
  runId: string,
  events: AsyncIterable<RunEvent>,
): Promise<RunSummary> {
  const outputs = openOutputs([{ format: 'terminal' }], { ...programEnvironment, runId });
  try {
    return await reportRun(events, outputs.reporters);
  } finally {
    outputs.close();
  }
}
