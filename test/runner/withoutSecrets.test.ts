import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withoutSecrets, withSecrets } from '../../runner/withoutSecrets.ts';

describe('secrets in texts of the user or the target', () => {
  it('are hidden wherever they stand, and come back', () => {
    const command = 'node server.js --secret=old-secret-1 --next "old-secret-2"';
    const secrets = ['old-secret-1', 'old-secret-2'];
    const hidden = withoutSecrets({ options: { start: [command] } }, secrets);
    expect(hidden.options.start).toEqual(['node server.js --secret=$SEAWORTHY_SECRET --next "$SEAWORTHY_SECRET_2"']);
    expect(withSecrets(hidden.options.start[0]!, ['new $& 1', 'new 2'])).toBe(
      'node server.js --secret=new $& 1 --next "new 2"',
    );
  });

  it('are looked for as whole words only where they are short', () => {
    expect(withoutSecrets('sh start.sh -s s', ['s'])).toBe('sh start.sh -s $SEAWORTHY_SECRET');
  });

  it('are hidden whole where one begins with another, and come back where a word goes on behind them', () => {
    const secrets = ['key-12', 'key-12-and-more'];
    const hidden = withoutSecrets('a key-12-and-more, a key-12, a key-12s', secrets);
    expect(hidden).toBe('a $SEAWORTHY_SECRET_2, a $SEAWORTHY_SECRET, a ${SEAWORTHY_SECRET}s');
    expect(withSecrets(hidden, secrets)).toBe('a key-12-and-more, a key-12, a key-12s');
  });

  it('are left out of any text that holds one', () => {
    const secret = fc.string({ minLength: 6 }).filter((text) => !'$SEAWORTHY_SECRET'.includes(text));
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        expect(withoutSecrets(before + hidden + after, [hidden])).not.toBe(before + hidden + after);
        expect(withSecrets(withoutSecrets(`${before} ${hidden}`, [hidden]), [hidden])).toBe(`${before} ${hidden}`);
      }),
    );
  });
});
