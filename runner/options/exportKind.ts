import { several } from './optionKinds.ts';

/** What a failure can be written as. */
const exportFormats = ['vitest', 'curl'] as const;

/** What a failure is written as, and where to; beside the saved case where there is no path. */
export interface ExportTarget {
  readonly format: (typeof exportFormats)[number];
  readonly path?: string;
}

/** `format` or `format=path`. */
export const exportKind = several<ExportTarget>({
  placeholder: '<format[=path]>',
  valid: 'vitest or curl, or one of them with the path of a file or of a folder: vitest=test/found/',
  read(text) {
    const [, name, path] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
    const format = exportFormats.find((known) => known === name);
    if (format === undefined) return undefined;
    return path === undefined ? { format } : { format, path };
  },
});
