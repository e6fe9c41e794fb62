import { defineConfig } from 'vitest/config';

/** Settings that these tests do not follow, and a reporter that is read by others. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    // Node reads the sources of the kit itself, as it would an installed package.
    server: { deps: { external: [/\/(?:runner|suites|reports|generators|spec)\/(?!testing\/projects)[^?]*\.ts$/] } },
    include: ['*.fixture.ts'],
    includeTaskLocation: true,
    testTimeout: 5,
    hookTimeout: 5,
    retry: 2,
    reporters: ['./reporter.ts'],
    attachmentsDir: process.env['ATTACHMENTS'] ?? '.attachments',
  },
});
