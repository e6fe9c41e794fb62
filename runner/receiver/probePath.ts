/** Whether a probe is given as a path with `{id}`: nobody knows the port of a target that gets one when it is started. */
export function isProbePath(probe: string): boolean {
  return /^\/\S*\{id\}\S*$/.test(probe);
}
