import { randomInt } from 'node:crypto';

import { jsonLine } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { openContract } from '../../../options/openContract.ts';
import type { CommandInput } from '../../command.ts';
import { commandSettings } from '../../commandSettings.ts';
import { misfitOf } from '../../../receiver/refusalAdvice.ts';
import { eventsNamed, sampleDeliveries, type SampleDelivery } from '../sampleDeliveries.ts';
import { showOptions } from '../commands.ts';

/** What `seaworthy contract show` does. @returns the exit code */
export async function showDeliveries(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { stdout, documents, stderr, signal } = programEnvironment;
  const settings = commandSettings(showOptions, input);
  const contract = openContract({ contract: argument, openapi: settings.openapi });
  const { count, secret, ndjson, seed = randomInt(2 ** 32) } = settings;
  const events = eventsNamed(contract, settings.event);
  const { signature } = contract.delivery;
  if (signature !== undefined) {
    const note = secret === undefined ? 'Not signed: no --secret was given.' : misfitOf(signature, [secret]);
    if (note !== '') stderr.write(`${note}\n`);
  }
  for (const [place, event] of events.entries()) {
    const choices = { count, secret, seed: (seed + place) % 2 ** 32, now: Date.now(), indented: !ndjson };
    for (const [number, delivery] of sampleDeliveries(contract, event, choices).entries()) {
      if (signal.aborted) return 0;
      if (ndjson) documents.write(jsonLine(lineOf(delivery)));
      else stdout.write(`${place + number > 0 ? '\n' : ''}${readable(delivery)}`);
    }
  }
  return 0;
}

/** The body is a text: the signature is about its bytes, which a parsed body would not give back. */
function lineOf({ event, id, method, headers, body }: SampleDelivery) {
  return { event, id, method, headers: Object.fromEntries(headers), body: body.toString() };
}

function readable({ event, method, headers, body }: SampleDelivery): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return visible([`${method}  ${event}`, ...lines, '', body.toString(), ''].join('\n'), '\n');
}
