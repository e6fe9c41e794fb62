import { curlScript } from '../../reports/curl/curl.ts';
import { jsonText } from '../../reports/text/jsonText.ts';
import { describeAnswer } from '../../suites/answer.ts';
import { deliveredEvent } from '../../suites/service/bodyMismatch.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { vitestTest } from '../export/vitestTest.ts';
import { kitIdentity } from '../options/packages.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import type { Listener } from './listener.ts';

const copyForms = ['curl', 'case', 'vitest'] as const;

/** What a delivery can be copied as: shell lines, a saved case for `seaworthy replay`, a Vitest test. */
export type CopyForm = (typeof copyForms)[number];

export function isCopyForm(text: string): text is CopyForm {
  return copyForms.some((form) => form === text);
}

/** A delivery in the form in which it is taken elsewhere, or why it has none. */
export function copiedRecord(listener: Listener, record: CaughtRecord, form: CopyForm): string {
  if (form === 'curl') return shellLines(listener, record);
  const saved = savedRecord(listener, record);
  if (saved === undefined) return 'Its body names no event of the contract, so that no case can be made of it.';
  return form === 'case' ? jsonText(saved) : vitestTest(saved, `delivery-${record.number}.test.ts`);
}

function shellLines({ url: address, forwarder }: Listener, { caught }: CaughtRecord): string {
  const { method, path, headers, body } = caught;
  const url = forwarder?.url.href ?? URL.parse(path, address)?.href ?? address;
  // Host and Content-Length are those of the connection that it came over.
  const kept = headers.filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name));
  const script = curlScript({ requests: [{ method, url, headers: kept, body }] });
  return script === undefined ? '# A header of it is none that curl can send.\n' : `${script.text}\n`;
}

/** A receiver has to accept what this delivery says: as a case that `seaworthy replay` sends, fresh and signed anew. */
function savedRecord({ kit, forwarder }: Listener, { caught, forwarded, number }: CaughtRecord): SavedCase | undefined {
  const { contract } = kit;
  const value = kit.deliveredJson(caught);
  const event = deliveredEvent(contract, kit.delivered(caught, 'event'), value)?.name;
  if (event === undefined || value === undefined) return undefined;
  const step = { do: 'deliver', slot: 'a', what: { says: { event, value } } };
  const [requirement] = contract.requirements.filter(({ id }) => id === 'RCV-2');
  return {
    seaworthy: 'case',
    format: 1,
    subject: 'receiver',
    kit: kitIdentity(),
    contract: { name: contract.name, digest: contract.digest },
    check: 'receiver/fuzz/rcv-2',
    title: requirement?.statement ?? 'Every delivery that the contract allows is accepted.',
    requirements: requirement === undefined ? [] : [requirement.id],
    summary: `delivery ${number}, as it was caught`,
    expected: 'an accepting status',
    actual: forwarded === undefined ? 'not tried yet' : describeAnswer(forwarded),
    cause: 'refused',
    sequence: [
      {
        words: `deliver a, new, content of its own (${event})`,
        step,
        seed: 0,
        path: '',
      },
    ],
    value: null,
    seed: 0,
    path: '0',
    intensity: 'quick',
    events: [event],
    url: forwarder?.url.href ?? 'http://localhost:3000/hooks',
    options: contract.name === 'tracking' ? {} : { contract: [contract.name] },
    env: [],
  };
}
