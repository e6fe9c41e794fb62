/** What is said of an id: a title, and headings with the texts below each. */
export interface Explained {
  readonly title: string;
  readonly parts: readonly (readonly [heading: string, texts: readonly string[]])[];
}

/** What is said of requirements, by their ids. */
export type Explanations = Readonly<Record<string, Explained>>;
