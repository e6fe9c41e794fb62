/** Times that a fault is looked for at most. */
const tries = 5;

/** Whether a fault shows: some need two things at the same moment, which a busy machine may keep apart. */
export async function shown(show: () => Promise<boolean>): Promise<boolean> {
  for (let tried = 1; tried < tries; tried += 1) if (await show()) return true;
  return show();
}
