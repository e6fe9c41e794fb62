import { visible } from '../text/visible.ts';
import type { RunSummary, LearnedAssumption } from './runSummary.ts';

/**
 * The YAML text that `--learn` writes: what a run learned about the gaps of the contract, as assumptions that another
 * run takes (`--assume @<file>`), and as a config file, too. Each stands below the evidence for it.
 *
 * @example
 * assume:
 *   # GAP-14, as seen: all 40 deliveries verify
 *   signature.scheme: "sha256=hmac-sha256-base64"
 */
export function learnedFile(summary: RunSummary): string {
  const { learned } = summary;
  const rows = learned.toSorted((a, b) => (a.key < b.key ? -1 : 1)).flatMap(assumptionLines);
  const assume = learned.length === 0 ? ['# Nothing was learned in this run.', 'assume: {}'] : ['assume:', ...rows];
  return [...introduction(summary), '', ...assume, ''].join('\n');
}

function introduction({ kit, contract, target, run }: RunSummary): readonly string[] {
  return [
    `What ${kit.name} ${kit.version} learned about one ${target.kind}.`,
    '',
    `The contract (${contract.title} ${contract.version}) leaves some things open: how a delivery is`,
    `signed, say, or when it is sent again. This is what the ${target.kind} was seen to do about them:`,
    `  ${target.address}`,
    `in the run ${run.id} of ${run.startedAt}${run.complete ? '' : ', which did not come to its end'}.`,
    '',
    'To test a receiver with exactly that, pass this file:',
    '  seaworthy receiver <url> --assume @<this file>',
    'It is a config file as well: under the name seaworthy.config.yaml it holds for every run that',
    'is started in its folder or below. Correct or leave out any line.',
  ].map(comment);
}

function assumptionLines({ key, gap, value, evidence }: LearnedAssumption): readonly string[] {
  return [`  ${comment(`${gap}, as seen: ${evidence}`)}`, `  ${yamlKey(key)}: ${yamlText(value)}`];
}

/** One line, whatever the text. */
function comment(text: string): string {
  return `# ${visible(text)}`.trimEnd();
}

function yamlKey(key: string): string {
  return /^[a-z]\w*(?:\.\w+)+$/i.test(key) ? key : yamlText(key);
}

/** A double-quoted scalar in printable ASCII: every version of YAML reads it as text, never as a number or a date. */
function yamlText(text: string): string {
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/gu, escape);
}

function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
