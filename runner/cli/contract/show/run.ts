import { randomInt } from 'node:crypto';

import type { CatalogueEvent, Contract } from '../../../../spec/contract.ts';
import { didYouMean, nearest } from '../../../../spec/nearest.ts';
import { jsonLine } from '../../../../reports/text/jsonText.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { UsageError } from '../../../errors.ts';
import { openContract } from '../../../options/openContract.ts';
import { matches } from '../../../options/pattern.ts';
import { resolveSettings } from '../../../options/settings.ts';
import type { CommandInput } from '../../command.ts';
import { sampleDeliveries, type SampleDelivery } from '../sampleDeliveries.ts';
import { showOptions } from './options.ts';

/** What `seaworthy contract show` does. @returns the exit code */
export async function showDeliveries({ argument, given, programEnvironment }: CommandInput): Promise<number> {
  const { environment, workingDirectory: directory, stdout, documents, stderr, signal } = programEnvironment;
  const settings = resolveSettings(showOptions, { commandLine: given, environment, config: [], directory });
  const contract = openContract({ contract: argument, openapi: settings.openapi });
  const { count, secret, ndjson, seed = randomInt(2 ** 32) } = settings;
  if (secret === undefined && contract.delivery.signature !== undefined)
    stderr.write('Not signed: no --secret was given.\n');
  for (const [place, event] of eventsOf(contract, settings.event).entries()) {
    const choices = { count, secret, seed: (seed + place) % 2 ** 32, now: Date.now(), indented: !ndjson };
    for (const [number, delivery] of sampleDeliveries(contract, event, choices).entries()) {
      if (signal.aborted) return 0;
      if (ndjson) documents.write(jsonLine(lineOf(delivery)));
      else stdout.write(`${place + number > 0 ? '\n' : ''}${readable(delivery)}`);
    }
  }
  return 0;
}

/** @throws UsageError where the pattern names none */
function eventsOf({ events }: Contract, pattern: string | undefined): readonly CatalogueEvent[] {
  if (pattern === undefined) return events.slice(0, 1);
  const found = events.filter(({ name }) => matches(pattern, name));
  if (found.length > 0) return found;
  const names = events.map(({ name }) => name);
  const suggestion = didYouMean(nearest(pattern, names));
  const shown = names.slice(0, 20).join(', ');
  throw new UsageError('SW_EVENT_UNKNOWN', {
    received: `the contract has no event ${JSON.stringify(pattern)}`,
    valid: names.length > 20 ? `${shown}, and ${names.length - 20} others` : shown,
    next: `${suggestion === undefined ? '' : `${suggestion} `}seaworthy contract check --json lists all events`,
  });
}

/** The body is a text: the signature is about its bytes, which a parsed body would not give back. */
function lineOf({ event, id, method, headers, body }: SampleDelivery) {
  return { event, id, method, headers: Object.fromEntries(headers), body: body.toString() };
}

function readable({ event, method, headers, body }: SampleDelivery): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return visible([`${method}  ${event}`, ...lines, '', body.toString(), ''].join('\n'), '\n');
}
