/** What is used of Stryker, which is installed in a copy of the repository only. */
declare module '@stryker-mutator/instrumenter' {
  interface Place {
    /** From 0. */
    readonly line: number;
    readonly column: number;
  }

  interface Mutant {
    readonly id: string;
    readonly fileName: string;
    readonly mutatorName: string;
    readonly location: { readonly start: Place; readonly end: Place };
    readonly replacement: string;
    /** `Ignored` where the options leave it out. */
    readonly status?: string;
  }

  interface File {
    readonly name: string;
    readonly content: string;
    readonly mutate: boolean;
  }

  interface Options {
    readonly plugins: null;
    readonly ignorers: readonly [];
    readonly excludedMutations: readonly string[];
  }

  class Instrumenter {
    constructor(logger: object);
    instrument(
      files: readonly File[],
      options: Options,
    ): Promise<{ readonly files: readonly File[]; readonly mutants: readonly Mutant[] }>;
  }
}
