import { defineConfig } from 'vitest/config';

import { program } from '../../../programs.ts';

/** Settings that these tests do not follow, and a reporter that is read by others. */
export default defineConfig({
  resolve: { alias: [{ find: /^.*\/runner\/testing\/vitest\.ts$/, replacement: program('vitest') }] },
  test: {
    root: import.meta.dirname,
    include: ['*.fixture.ts'],
    includeTaskLocation: true,
    testTimeout: 5,
    hookTimeout: 5,
    retry: 2,
    reporters: ['./reporter.ts'],
    attachmentsDir: process.env['ATTACHMENTS'] ?? '.attachments',
  },
});
