import type { Wire, WireStep } from '../../suites/delivery.ts';

/** Says in plain words, a line each, how a request was written by hand. */
export function describeWire({ framing, requestLine, steps }: Wire): readonly string[] {
  const heading = {
    length: 'headers with a content length',
    chunked: 'headers for a chunked body',
    none: 'headers without a length',
  }[framing];
  const pieces = steps.filter((step) => 'send' in step && step.send === 'body').length;
  if (pieces > 4)
    return [`send the ${heading}`, `send the body in ${pieces} ${framing === 'chunked' ? 'chunks' : 'pieces'}`];
  return [
    ...(requestLine === undefined ? [] : [`request line: ${requestLine}`]),
    ...steps.map((step) => describeStep(step, heading)),
  ];
}

function describeStep(step: WireStep, heading: string): string {
  if ('pause' in step) return `send nothing for ${step.pause} ms`;
  if ('awaitContinue' in step) return `wait at most ${Math.round(step.awaitContinue)} ms for 100 Continue`;
  if ('barrier' in step) return 'wait until all copies have come this far';
  if ('hold' in step) return 'send nothing until what runs beside it is over';
  if ('end' in step) return step.end === 'rst' ? 'reset the connection' : 'close the sending side';
  if (step.send === 'head') return `send the ${heading}`;
  if (step.send === 'bytes')
    return `send the bytes ${JSON.stringify(Buffer.from(step.base64, 'base64').toString('latin1'))}`;
  if (step.from === 0 && step.to === 1) return 'send the body';
  return `send the body from ${percent(step.from)} to ${percent(step.to)}`;
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
