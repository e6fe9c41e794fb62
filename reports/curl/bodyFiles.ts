/** A file that must lie beside shell lines. */
export interface ScriptFile {
  readonly path: string;
  readonly content: Buffer;
}

/** The files of large bodies, by {@link bodyKey}. */
export type BodyFiles = ReadonlyMap<string, ScriptFile>;

const inlineLimit = 8 * 1024;

/**
 * One file for each different body over 8 KiB.
 *
 * @param bodyFile - where the first one goes; a second one gets `-2` before the extension. Without it there are none
 */
export function bodyFiles(bodies: readonly Buffer[], bodyFile: string | undefined): BodyFiles {
  const files = new Map<string, ScriptFile>();
  if (bodyFile === undefined) return files;
  for (const body of bodies) {
    const key = bodyKey(body);
    if (body.length <= inlineLimit || files.has(key)) continue;
    const path = files.size === 0 ? bodyFile : bodyFile.replace(/(\.[^./]*)?$/, `-${files.size + 1}$1`);
    files.set(key, { path, content: body });
  }
  return files;
}

/** Equal for equal bytes. */
export function bodyKey(body: Buffer): string {
  return body.toString('latin1');
}
