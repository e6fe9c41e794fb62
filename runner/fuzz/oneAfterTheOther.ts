/** Does something with each item, the next one once it is done with the one before. */
export async function oneAfterTheOther<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) await work(item, index);
}
