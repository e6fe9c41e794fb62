import { describe, expect, test } from 'vitest';

import { receivers } from './receivers.ts';
import { senders } from './senders.ts';
import { services } from './services.ts';
import { visit } from './visit.ts';

// A few of the rows: `npm run zoo` visits all of them.
describe.each([
  ['receiver', receivers],
  ['service', services],
  ['sender', senders],
])('a run against a %s that', (_, targets) => {
  test.each(targets.filter(({ daily }) => daily === true).map((target) => [target.name, target] as const))(
    '%s',
    async (__, target) => {
      const { complaints, text } = await visit(target);
      expect(complaints.length === 0 ? '' : [...complaints, text].join('\n')).toBe('');
    },
  );
});
