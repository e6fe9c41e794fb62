import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { duration, grouped } from '../../../reports/text/amount.ts';
import { visible } from '../../../reports/text/visible.ts';
import type { CatalogueEvent, Contract } from '../../../spec/contract.ts';
import { hasTimestamp } from '../../../spec/signature.ts';
import { statusClasses } from '../../../spec/statusClasses.ts';
import { describeAnswer, hasStatusClass, isOverloaded } from '../../../suites/answer.ts';
import type { Answer, Delivery } from '../../../suites/delivery.ts';
import { UsageError } from '../../errors.ts';
import { reachOf } from '../../http/access.ts';
import { createDeliverer } from '../../http/deliverer.ts';
import { openAddress } from '../../http/openAddress.ts';
import { openContract } from '../../options/openContract.ts';
import { readCertificates } from '../../options/readCertificates.ts';
import type { Settings } from '../../options/option.ts';
import { misfitOf } from '../../receiver/refusalAdvice.ts';
import { targetUrl } from '../../receiver/target.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { deliveryOf, eventsNamed, sampleDeliveries } from '../contract/sampleDeliveries.ts';
import { triggerOptions } from './command.ts';
import { requireFile } from '../../../spec/readTextFile.ts';
import { messageOf } from '../../../spec/messageOf.ts';

type TriggerSettings = Settings<typeof triggerOptions>;

/** Characters of the body of a refusal that are shown. */
const shownLength = 500;

/** What `seaworthy trigger` does. @returns the exit code */
export async function trigger(input: CommandInput): Promise<number> {
  const { operands = [], programEnvironment } = input;
  const { workingDirectory: directory, stdout, signal } = programEnvironment;
  const settings = commandSettings(triggerOptions, input);
  const [address, pattern] = operands;
  if (address === undefined) throw urlMissing();
  if (settings.tamper && settings.secret === undefined) throw nothingSigned();
  const { ca, insecure, allowRemote, timeout, header: headers } = settings;
  const url = await targetUrl(openAddress(address).address, allowRemote);
  const contract = openContract(settings);
  const events = eventsNamed(contract, pattern);
  const body = settings.data === undefined ? undefined : readData(resolve(directory, settings.data));
  const certificates = ca === undefined ? {} : { ca: await readCertificates(ca) };
  const access = { ...certificates, insecure, reach: reachOf(allowRemote) };
  const deliverer = createDeliverer({ url, timeout, concurrency: settings.copies, headers, ...access });
  signal.addEventListener('abort', () => void deliverer.close(), { once: true });
  const seed = settings.seed ?? randomInt(2 ** 32);
  try {
    const answers: Answer[] = [];
    for (const [place, event] of events.entries()) {
      const first = firstOf(contract, event, { ...settings, seed: (seed + place) % 2 ** 32 }, body);
      stdout.write(`${place > 0 ? '\n' : ''}${opening(first, url, settings)}`);
      for (let number = 0; number <= settings.repeat && !signal.aborted; number += 1) {
        const delivery = number === 0 ? first : signedAnew(contract, first, settings);
        const sent = Array.from({ length: settings.copies }, () => (settings.tamper ? tampered(delivery) : delivery));
        const came = await deliverer.together(sent);
        answers.push(...came);
        for (const answer of came) stdout.write(`  ${answerLine(contract, answer, number)}\n`);
      }
    }
    return verdict(contract, answers, settings, (line) => stdout.write(`\n${line}\n`));
  } finally {
    await deliverer.close();
  }
}

function firstOf(
  contract: Contract,
  event: CatalogueEvent,
  { seed, secret }: { readonly seed: number; readonly secret?: string | undefined },
  body: Buffer | undefined,
): Delivery {
  const now = Date.now();
  const [generated] = sampleDeliveries(contract, event, { count: 1, seed, secret, now });
  return body === undefined ? generated! : deliveryOf(contract, { ...generated!, body, secret, now });
}

/** What was signed with a time is signed again, as a service does: an old time may be refused. */
function signedAnew(contract: Contract, first: Delivery, { secret }: TriggerSettings): Delivery {
  const { signature } = contract.delivery;
  if (signature === undefined || !hasTimestamp(signature)) return first;
  return deliveryOf(contract, { ...first, secret, now: Date.now() });
}

function tampered(delivery: Delivery): Delivery {
  return { ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) };
}

function opening(
  { method, event, id, body }: Delivery,
  url: URL,
  { secret, tamper, data, copies }: TriggerSettings,
): string {
  const facts = [
    ...(id === '' || data !== undefined ? [] : [`id ${id}`]),
    `${grouped(body.length)} bytes`,
    secret === undefined ? 'not signed' : tamper ? 'changed after it was signed' : 'signed',
    ...(copies > 1 ? [`${copies} copies at the same moment`] : []),
  ];
  return visible(`${method} ${url.origin}${url.pathname}\n  ${event}: ${facts.join(', ')}\n`, '\n');
}

function answerLine(contract: Contract, answer: Answer, number: number): string {
  const what = `${describeAnswer(answer)} after ${duration(answer.ms)}${number === 0 ? '' : `, redelivery ${number}`}`;
  if (answer.kind !== 'answered' || isAccepted(contract, answer) || answer.body.trim() === '') return what;
  return `${what}\n    ${visible(answer.body.trim().slice(0, shownLength))}`;
}

function isAccepted({ delivery }: Contract, answer: Answer): boolean {
  return answer.kind === 'answered' && delivery.acceptedStatuses.includes(answer.status);
}

function verdict(
  contract: Contract,
  answers: readonly Answer[],
  { tamper, secret }: TriggerSettings,
  say: (line: string) => void,
): number {
  if (answers.some(({ kind }) => kind !== 'answered')) {
    say('Not every delivery was answered. See whether the receiver runs, and whether the address is right.');
    return 3;
  }
  if (tamper) return verdictOnTampered(contract, answers, say);
  const refused = answers.filter((answer) => !isAccepted(contract, answer));
  if (refused.length === 0) return 0;
  say(
    `The receiver did not accept every delivery. These statuses accept one: ${accepting(contract)}.${advice(contract, refused, secret)}`,
  );
  return 1;
}

/** A receiver that has too much to do, or fails, refuses whatever comes: that says nothing about a signature. */
function verdictOnTampered(contract: Contract, answers: readonly Answer[], say: (line: string) => void): number {
  if (answers.some((answer) => isAccepted(contract, answer))) {
    say(
      'The receiver accepted a body that was changed after it was signed. Verify the signature over the bytes that arrived.',
    );
    return 1;
  }
  const other = answers.find((answer) => !hasStatusClass(answer, 4) || isOverloaded(answer));
  if (other === undefined) return 0;
  say(
    `${describeAnswer(other)} does not show that the receiver saw the change. A refused signature is answered with 4xx, such as 401. See whether the receiver accepts the same delivery without --tamper.`,
  );
  return 3;
}

function accepting({ delivery }: Contract): string {
  return statusClasses(delivery.acceptedStatuses).join(', ');
}

function advice({ delivery }: Contract, refused: readonly Answer[], secret: string | undefined): string {
  if (delivery.signature !== undefined && secret === undefined) return ' It was not signed: give --secret.';
  if (!refused.some((answer) => answer.kind === 'answered' && [401, 403].includes(answer.status))) return '';
  const misfit = delivery.signature && secret !== undefined ? misfitOf(delivery.signature, [secret]) : '';
  return `${misfit && ` ${misfit}`} See whether --secret is the secret of the receiver.`;
}

function nothingSigned(): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received: '--tamper was given without --secret',
    valid: 'both: only what is signed can be changed after it was signed',
    next: 'add --secret, or set SEAWORTHY_SECRET',
  });
}

/** @throws UsageError where the file cannot be read */
function readData(path: string): Buffer {
  try {
    requireFile(path);
    return readFileSync(path);
  } catch (cause) {
    const why = messageOf(cause);
    throw new UsageError(
      'SW_FILE_UNREADABLE',
      { received: `--data ${path}: ${why}`, valid: 'a file that holds the body', next: 'correct the path' },
      { cause },
    );
  }
}

function urlMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'trigger was given no URL',
    valid: 'the http or https URL that deliveries go to',
    next: 'seaworthy trigger http://localhost:3000/hooks',
  });
}
