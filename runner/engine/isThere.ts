/** Whether a target still takes connections; it is asked a few times, for it may be restarting or overloaded. */
export async function isThere(target: { reachable(): Promise<boolean> }): Promise<boolean> {
  for (let asked = 0; asked < 4; asked++) {
    if (await target.reachable()) return true;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return false;
}
