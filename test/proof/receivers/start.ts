/** Starts a receiver on a free port of this machine. Each secret must be accepted. */
export type StartReceiver = (options: { readonly secrets: readonly string[] }) => Promise<StartedReceiver>;

export interface StartedReceiver {
  readonly url: string;
  /** A URL with `{id}`, or a shell command that reads ids and prints counts. */
  readonly probe: string;
  close(): Promise<void>;
}
