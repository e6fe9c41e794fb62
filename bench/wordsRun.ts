import { plainFaultNames, receiverFaultNames, receiverFaults } from '../reference/faults/receiver/index.ts';
import { serviceFaultNames, serviceFaults } from '../reference/faults/service/index.ts';
import { conformingPolicies as receiverPolicies } from '../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../reference/receiver/receiver.ts';
import { conformingPolicies as servicePolicies } from '../reference/service/conformingPolicies.ts';
import { startService } from '../reference/service/service.ts';
import type { RunSummary } from '../reports/model/runSummary.ts';
import type { ReceiverCheck, ServiceCheck } from '../suites/check.ts';
import { receiverChecks } from '../suites/receiver/index.ts';
import { serviceChecks } from '../suites/service/index.ts';
import { concerned } from '../test/proof/concerned.ts';
import { testReceiver, secret } from '../test/proof/testReceiver.ts';
import { testLinked, referenceCommand } from '../test/proof/testLinked.ts';
import { testLiving } from '../test/proof/testLiving.ts';
import { testService, pace } from '../test/proof/testService.ts';
import { testServiceProcess } from '../test/proof/testServiceProcess.ts';
import { reference as livingReceiver, type LivingReceiver } from '../test/proof/livingReceivers/index.ts';
import { shellWord } from '../reports/curl/shell.ts';
import { program } from '../test/programs.ts';
import { reference as livingService } from '../test/proof/livingServices/index.ts';
import { provenBy } from '../test/proof/provenBy.ts';
import { signedContract } from '../test/proof/signedContract.ts';
import type { Intensity } from '../runner/engine/plan.ts';
import { provenByService } from '../test/proof/provenByService.ts';

/** A seeded fault, and the run that shows what the suite says about it. */
export interface FaultToRun {
  readonly side: 'receiver' | 'service';
  readonly name: string;
  /** What it does wrong, as one sentence. */
  readonly summary: string;
  /** Default: `quick`, which need not find it. */
  run(intensity?: Intensity): Promise<RunSummary>;
}

/** Every fault that the suite has to find, each with the checks that find it. Subtle ones are left to a search. */
export function faultsToRun(): readonly FaultToRun[] {
  const receivers = receiverFaultNames.filter((name) => receiverFaults[name]?.subtle === undefined);
  const services = serviceFaultNames.filter((name) => serviceFaults[name]?.subtle === undefined);
  return [
    ...receivers.map((name) => ({
      side: 'receiver' as const,
      name,
      summary: receiverFaults[name]!.summary,
      run: (intensity: Intensity = 'quick') => receiverRun(name, intensity),
    })),
    ...services.map((name) => ({
      side: 'service' as const,
      name,
      summary: serviceFaults[name]!.summary,
      run: (intensity: Intensity = 'quick') => serviceRun(name, intensity),
    })),
  ];
}

/** Milliseconds around its timestamp in which a signature is taken. */
const tolerance = 300_000;
const timestamped = {
  signed: '{timestamp}.{body}',
  headers: { 'X-SVC-Webhook-Signature': 't={timestamp},v1={digest}' },
  several: ',',
  tolerance: '5m',
};

/** The reference receiver, which takes its secret from its environment. */
function secretless(fault: string): LivingReceiver {
  const words = ['--secret-env', 'HOOK_SECRET', '--fault', fault];
  return {
    command: ({ port, database }) =>
      [process.execPath, program('receiver'), '--port', String(port), '--database', database, ...words]
        .map(shellWord)
        .join(' '),
    path: '/hooks',
    probe: '/effects/{id}',
  };
}

const seed = 42;
const published = ['127.0.0.1', '127.0.0.3'];

/** Checks of signatures that this contract has not. */
const ofOtherSignatures = /\/(?:too-old|from-the-future|small-skew|several|signed-anew)$/;

function receiverRun(name: string, intensity: Intensity): Promise<RunSummary> {
  const { breaks, change, secrets = [secret], setting, timeout } = receiverFaults[name]!;
  const about = { breaks, proven: provenFor(provenBy, name) };
  const ids = lookedAt(receiverChecks, about, intensity).map(({ id }) => id);
  const isTimed = setting === 'timestamps';
  const only = isTimed ? ids : ids.filter((id) => !ofOtherSignatures.test(id));
  const options = { seed, only, settle: 400, timeout: timeout ?? 2000, intensity };
  if (setting === 'secret') {
    return testLiving(secretless(name), { ...options, secretEnv: 'HOOK_SECRET' });
  }
  if (setting === 'sources' || setting === 'changed-sources') {
    const words = ['--published-from-api', '--refresh', '150ms', '--fault', name];
    const follows = { ...options, published, assume: { 'senderAddresses.refresh': '1s' } };
    return testLinked((around) => referenceCommand(around, words), follows);
  }
  if (setting === 'recovery') {
    return testLinked((around) => referenceCommand(around, ['--fault', name]), { ...options, recover: '/recover' });
  }
  if (!isTimed && !plainFaultNames.includes(name)) return testLiving(livingReceiver(name), options);
  const timed = isTimed && { contract: signedContract(timestamped) };
  return startReceiver({ secrets, ...(isTimed && { tolerance }), policies: change(receiverPolicies) }).then(
    (receiver) => testReceiver(receiver, { ...options, ...timed, secret: secrets }),
  );
}

async function serviceRun(name: string, intensity: Intensity): Promise<RunSummary> {
  const { breaks, change, processControl, settle = 400, timeout = pace.timeout } = serviceFaults[name]!;
  const proven = provenFor(provenByService, name);
  const only = lookedAt(serviceChecks, { breaks, proven }, intensity).map(({ id }) => id);
  if (processControl === true) {
    const assume = { 'delivery.timeout': '600ms' };
    return testServiceProcess(livingService(name, 600), { only, seed, assume, intensity });
  }
  const service = await startService({ ...pace, timeout, speed: 20, policies: change(servicePolicies) });
  const options = { only, seed, intensity, settle: Math.max(400, settle), retryWindow: 4000, secondOpinion: false };
  return testService(service, { ...options, assume: { 'delivery.timeout': `${timeout}ms` } });
}

/** What `quick` does not find is looked for by all checks. */
function lookedAt<Check extends ReceiverCheck | ServiceCheck>(
  checks: readonly Check[],
  fault: Parameters<typeof concerned>[1],
  intensity: Intensity,
): readonly Check[] {
  return intensity === 'quick' ? concerned(checks, fault) : checks;
}

function provenFor(table: Readonly<Record<string, string>>, name: string): readonly string[] {
  return Object.keys(table).filter((check) => table[check] === name);
}
