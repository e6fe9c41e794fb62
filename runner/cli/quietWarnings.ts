/** About the speed at which a config file is loaded, which is nothing to its user. */
const withheld = new Set(['MODULE_TYPELESS_PACKAGE_JSON']);

/** Lets Node print its warnings as it does, but for those that a user of the program would only wonder about. */
export function quietWarnings(): void {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    if (withheld.has(warning.code ?? '')) return;
    for (const listener of listeners) listener(warning);
  });
}
