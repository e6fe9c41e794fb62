import { describe, expect, it } from 'vitest';

import { webhookBodies } from '../../../spec/webhookBodies.ts';
import { documentOf } from './documentOf.ts';
import { peculiarities } from './peculiarities.ts';

describe('what others write', () => {
  it.each(peculiarities)('$title', ({ schema, read, said, openapi }) => {
    const words: string[] = [];
    const [body] = webhookBodies(documentOf(schema, { openapi }), {
      warn: ({ effect, pointer, message }) =>
        words.push(`${effect} ${pointer.replace(body?.pointer ?? '', '')}: ${message}`),
    });
    expect(words).toEqual([]);
    expect(body?.schema).toEqual(read);
    expect(words).toEqual(said);
    expect(body?.validate).toBeTypeOf('function');
  });
});
