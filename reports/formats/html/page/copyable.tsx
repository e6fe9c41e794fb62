import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { type Anchors, Section, shown } from './section.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What repeats the run. */
export function RepeatSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { command, run, search } = summary;
  const same =
    search === undefined
      ? 'makes it try the same cases'
      : 'makes it draw the same sequences first; what becomes of them later depends on the answers as well';
  return (
    <Section id={anchors('repeat')} title="To repeat this run">
      <Copyable text={command} label="the command" />
      <p class="note">
        {run.caughtOnly ? '' : `The seed ${run.seed} ${same}. Ids and signatures are fresh in each run. `}
        The run was {shown(run.id)}.
      </p>
    </Section>
  );
}

/**
 * Lines to be pasted, with a button that copies them.
 *
 * @param label - what they are: `curl`, `the command`
 */
export function Copyable({ text, label }: { text: string; label: string }): JSX.Element {
  const code = useRef<HTMLElement>(null);
  const [state, change] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async (): Promise<void> => change((await copied(text, code.current)) ? 'copied' : 'failed');
  return (
    <div class="copyable">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code ref={code}>{shown(text)}</code>
      </pre>
      <button type="button" onClick={() => void copy()} onBlur={() => change('ready')}>
        {state === 'copied' ? 'Copied' : 'Copy'}
        <span class="hidden"> {label}</span>
      </button>
      <span role="status" class="copy-status">
        {state === 'copied' && <span class="hidden">Copied to the clipboard</span>}
        {state === 'failed' && 'Selected: press Ctrl+C (or ⌘C) to copy'}
      </span>
    </div>
  );
}

/**
 * A button that copies a text which is too long to stand there; where that fails the text is shown after all.
 *
 * @param label - what stands on it: `Copy as a prompt`
 * @param text - makes the text when it is asked for
 */
export function CopyButton({ label, text }: { label: string; text: () => string }): JSX.Element {
  const [state, change] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async (): Promise<void> => change((await copied(text(), null)) ? 'copied' : 'failed');
  return (
    <div class="copy-button">
      <button type="button" onClick={() => void copy()} onBlur={() => state === 'copied' && change('ready')}>
        {state === 'copied' ? 'Copied' : label}
      </button>
      <span role="status" class="hidden">
        {state === 'copied' && 'Copied to the clipboard'}
      </span>
      {state === 'failed' && <Copyable text={text()} label="the prompt" />}
    </div>
  );
}

/** Where there is no clipboard (a page that was not opened over https), the old way; at last the text is selected. */
async function copied(text: string, code: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text) || (select(code), false);
  }
}

function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'hidden';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

function select(code: HTMLElement | null): void {
  if (code !== null) getSelection()?.selectAllChildren(code);
}
