import type { ShippedContract } from '../../../spec/shippedContracts.ts';
import type { Answers } from './answers.ts';

/** Secrets in the form that the receivers of some contracts require. They are for tests only. */
const secrets: Readonly<Partial<Record<ShippedContract, string>>> = {
  'standard-webhooks': 'whsec_b25seS1mb3ItdGVzdHMtb25seS1mb3ItdGVzdHM=',
  stripe: 'whsec_only_for_tests',
};

/** A `seaworthy.config.ts`: what was seen or answered, and what could be added, as comments. */
export function configText(answers: Answers): string {
  return `// What seaworthy tests, and how. Every key: seaworthy receiver --help, or docs/options.md of the package.
// The type is all that this file imports, so that it also loads where the package is not installed.
import type { Config } from 'seaworthy';

export default {
  // Whose webhooks these are: the name of a contract that ships with the kit, or the path of your own contract.yaml.
  contract: ${quoted(answers.contract)},

  // How many cases each check tries: quick, standard or thorough.
  intensity: 'quick',

  receiver: {
    // Where your receiver takes webhooks.
    url: ${quoted(answers.url)},

${secretLines(answers)}

${startLines(answers)}

${probeLines(answers)}
  },
} satisfies Config;
`;
}

function secretLines({ contract, secretEnv, start }: Answers): string {
  const secret = `    secret: ${quoted(secrets[contract] ?? 'only-for-tests')},`;
  const what =
    '    // The secret that your receiver verifies signatures with in tests. Keep the one of production out of this file.';
  if (secretEnv === undefined)
    return `${what}\n    // Configure your receiver with it, or set SEAWORTHY_SECRET instead.\n${secret}`;
  const gives =
    start === undefined
      ? `    // Start your receiver with it: ${secretEnv}=...`
      : `    // The kit starts your receiver with it in this environment variable.\n    secretEnv: ${quoted(secretEnv)},`;
  return `${what}\n${secret}\n${gives}`;
}

function startLines({ start, url }: Answers): string {
  const { port } = new URL(url);
  const why = `    // The kit starts your receiver with this command, and may kill, pause and restart it: what a crash loses shows only then.`;
  const example = `    // env: { PORT: ${quoted(port || '3000')} },`;
  return start === undefined
    ? `${why}\n    // Without it, start your receiver before the run.\n    // start: 'npm start',`
    : `${why}\n    start: ${quoted(start)},\n${example}`;
}

function probeLines({ probe, url }: Answers): string {
  const { origin } = new URL(url);
  const why = `    // Tells how often a notification took effect: an address that answers GET with { "count": n }, or a shell command that
    // gets ids on standard input and prints "<id> <count>". Without it, nothing is known about duplicates and losses.`;
  return probe === undefined
    ? `${why}\n    // probe: ${quoted(`${origin}/effects/{id}`)},`
    : `${why}\n    probe: ${quoted(probe)},`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}

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
