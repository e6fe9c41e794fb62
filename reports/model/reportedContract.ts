/** The contract that a target is tested against. Journals of earlier versions have its title and version alone. */
export interface ReportedContract {
  readonly title: string;
  readonly version: string;
  /** What `--contract` calls it. */
  readonly name?: string;
  /** Of all its texts. */
  readonly digest?: string;
  /** What it has not, in a few words each: checks about these do not run. Default: nothing. */
  readonly leftOut?: readonly string[];
}
