/** How the parts of one run are addressed; where a page shows several runs, each has a prefix. */
export type Anchors = (id: string) => string;

/** @param prefix - empty where the page shows one run */
export function anchorsOf(prefix: string): Anchors {
  return (id) => (prefix === '' ? id : `${prefix}/${id}`);
}

/** The address of an anchor, for a link. */
export function linkTo(anchor: string): string {
  return `#${encodeURI(anchor)}`;
}
