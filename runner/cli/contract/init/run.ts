import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

import { ContractError, loadContract } from '../../../../spec/contract.ts';
import { UsageError } from '../../../errors.ts';
import { shellWord } from '../../../../reports/curl/shell.ts';
import { amount } from '../../../../reports/text/amount.ts';
import type { CommandInput } from '../../command.ts';
import { programOf } from '../../programEnvironment.ts';
import { commandSettings } from '../../commandSettings.ts';
import { type Draft, draftOf } from './draft.ts';
import { draftText } from './draftText.ts';
import { type OpenedDocument, openedDocument } from './openedDocument.ts';
import { initOptions } from '../commands.ts';

/** What `seaworthy contract init` does. @returns the exit code */
export async function draftContract(input: CommandInput): Promise<number> {
  const { argument, programEnvironment } = input;
  const { workingDirectory: directory, stdout, documents } = programEnvironment;
  const { output } = commandSettings(initOptions, input);
  if (argument === undefined) throw missing();
  const document = openedDocument(argument, directory);
  const folder = output === undefined ? directory : dirname(resolve(directory, output));
  const text = textOf(draftOf(document, pathFrom(folder, resolve(directory, argument))), document);
  if (output === undefined) {
    documents.write(text);
    return 0;
  }
  writeNew(resolve(directory, output), output, text);
  const guesses = text.match(/# guessed: /g)?.length ?? 0;
  stdout.write(
    `${output}: ${eventsOf(document)}, ${amount(guesses, 'guess', 'guesses')}. A comment marks each, and says why.\nLook at them, then: ${programOf(programEnvironment)} contract check ${shellWord(output)}\n`,
  );
  return 0;
}

function eventsOf({ bodies, service }: OpenedDocument): string {
  return bodies.length > 0 ? amount(bodies.length, 'webhook') : amount(service?.events.length ?? 0, 'event');
}

/** The text of a draft; the service is commented out where no contract loads with it, and one does without it. */
function textOf(draft: Draft, { root }: OpenedDocument): string {
  const { service } = draft;
  const text = draftText(draft);
  if (service === undefined || service.missing !== undefined) return text;
  const openapi = JSON.stringify(root);
  try {
    loadContract({ contract: text, openapi });
    return text;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return draftText({ ...draft, service: { ...service, missing: error.message } });
  }
}

/** A relative path with slashes, as a contract names its document. */
function pathFrom(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** @throws UsageError where it is there already, or cannot be written */
function writeNew(file: string, shown: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
    const isThere = code === 'EEXIST';
    throw new UsageError(
      'SW_FILE_EXISTS',
      {
        received: isThere
          ? `${shown} is there already, and is not overwritten`
          : `${shown} cannot be written (${code})`,
        valid: 'the path of a file that does not exist, in a folder that does',
        next: 'give another path with --output, or move the file away',
      },
      { cause },
    );
  }
}

function missing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'contract init was given no document',
    valid: 'the path of an OpenAPI document',
    next: 'seaworthy contract init api.yaml',
  });
}
