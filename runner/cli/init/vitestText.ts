/** A Vitest file whose tests are the checks, with the options of the config file beside it. */
export function vitestText(): string {
  return `import { describeReceiver } from 'seaworthy/vitest';

import config from './seaworthy.config.ts';

const { receiver, contract, intensity } = config;

// Every check is a test of its own. To serve the app itself, replace \`start\` and \`url\`: { app, url: '/path' }.
// To look into your database, give a function as the probe: (id) => db.count(id).
describeReceiver('webhooks', { contract, intensity, ...receiver });
`;
}
