/** What the bench uses of autocannon, which ships no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: string;
    readonly connections: number;
    /** Seconds, whole ones. */
    readonly duration: number;
    readonly requests: readonly { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }[];
  }

  interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly requests: { readonly total: number };
    readonly errors: number;
    readonly non2xx: number;
  }

  export default function autocannon(options: Options): Promise<Result>;
}
