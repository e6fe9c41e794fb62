import { randomInt } from 'node:crypto';

import { jsonLine } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { openContract } from '../../../options/openContract.ts';
import { resolveSettings } from '../../../options/settings.ts';
import type { CommandInput } from '../../command.ts';
import { eventsNamed, sampleDeliveries, type SampleDelivery } from '../sampleDeliveries.ts';
import { showOptions } from '../options.ts';

/** What `seaworthy contract show` does. @returns the exit code */
export async function showDeliveries({ argument, given, programEnvironment }: CommandInput): Promise<number> {
  const { environment, workingDirectory: directory, stdout, documents, stderr, signal } = programEnvironment;
  const settings = resolveSettings(showOptions, { commandLine: given, environment, config: [], directory });
  const contract = openContract({ contract: argument, openapi: settings.openapi });
  const { count, secret, ndjson, seed = randomInt(2 ** 32) } = settings;
  if (secret === undefined && contract.delivery.signature !== undefined)
    stderr.write('Not signed: no --secret was given.\n');
  for (const [place, event] of eventsNamed(contract, settings.event).entries()) {
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
