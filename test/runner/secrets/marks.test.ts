import { describe, expect, it } from 'vitest';

import { Secrets } from '../../../runner/secrets/secrets.ts';
import { secretStandIns } from '../../../runner/secrets/standIns.ts';
import { echoes, leaksIn, markOf } from './marks.ts';

const mark = markOf('secret');
const around = 'The receiver says of it: <that is all>.';

function leaks(text: string): number {
  return leaksIn(new Map([['it', text]]), { secret: mark }).length;
}

describe.each(Object.entries(echoes))('a secret: %s', (_, echo) => {
  const secrets = new Secrets(secretStandIns([mark]));
  const text = `${around} ${echo(mark)}, ${around}`;

  it('is found where it is not hidden', () => {
    expect([leaks(text), leaks(JSON.stringify(text)), leaks(around)]).toEqual([1, 1, 0]);
  });

  it('is hidden in texts, bytes and streams, and nothing around it', () => {
    const streamed = secrets.stream();
    const pieces = Array.from(text, (each) => streamed.write(Buffer.from(each)));
    const shown = [
      secrets.hide(text),
      secrets.hideTyped(text),
      secrets.hideIn({ said: text }).said,
      secrets.hideBytes(Buffer.from(text)).toString(),
      Buffer.concat([...pieces, streamed.end()]).toString(),
      JSON.parse(secrets.hide(JSON.stringify(text))) as string,
    ];
    for (const each of shown) {
      expect(leaks(each)).toBe(0);
      expect(each).toMatch(
        /^The receiver says of it: <that is all>\. .*\$\{?SEAWORTHY_SECRET.*, The receiver .* all>\.$/,
      );
    }
  });
});

describe('a part of a secret', () => {
  it('stays where it is words, or shorter than eight characters', () => {
    const secrets = new Secrets(secretStandIns(['the-webhook-secret-of-development', mark]));
    const text = `a webhook-secret of development, ${mark.slice(0, 7)} and ${mark.slice(9, 16)}.`;
    expect(secrets.hideTyped(text)).toBe(text);
    expect(secrets.hideTyped('say hook-secret-of-dev')).toBe('say $SEAWORTHY_SECRET');
  });
});
