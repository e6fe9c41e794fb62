import type { ShippedContract } from '../../../spec/shippedContracts.ts';
import { kitIdentity } from '../../options/packages.ts';
import type { Answers } from './answers.ts';
import type { Project } from './project.ts';

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
  const why = `    // Says how often a notification took effect: an address that answers GET with { "count": n }, or a shell command that
    // gets ids on standard input and prints "<id> <count>". Without it, nothing is known about duplicates and losses.`;
  return probe === undefined
    ? `${why}\n    // probe: ${quoted(`${origin}/effects/{id}`)},`
    : `${why}\n    probe: ${quoted(probe)},`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}

/** Where the tests of each test runner lie, how they are run, and the entry of the package that they import. */
export const testFiles = {
  Vitest: { path: 'seaworthy.test.ts', run: 'npx vitest run seaworthy.test.ts', entry: 'vitest' },
  'node:test': { path: 'seaworthy.test.mjs', run: 'node --test seaworthy.test.mjs', entry: 'node-test' },
} as const satisfies Record<NonNullable<Project['tests']>, object>;

/** A file whose tests are the checks, with the options of the config file beside it. */
export function testText(tests: keyof typeof testFiles, config: string): string {
  return `import { describeReceiver } from 'seaworthy/${testFiles[tests].entry}';

import config from './${config}';

const { receiver, contract, intensity } = config;

// Every check is a test of its own. To serve the app itself, replace \`start\` and \`url\`: { app, url: '/path' }.
// To look into your database, give a function as the probe: (id) => db.count(id).
describeReceiver('webhooks', { contract, intensity, ...receiver });
`;
}

/** What a job needs to know. */
type Known = Pick<Project, 'install' | 'dependsOnKit'> & Pick<Answers, 'start'>;

/** Where the workflow of a CI lies, and what it says. */
export function workflowOf(ci: 'github' | 'gitlab', known: Known): { readonly path: string; readonly text: string } {
  return ci === 'github'
    ? { path: '.github/workflows/seaworthy.yml', text: githubWorkflow(known) }
    : { path: '.gitlab/seaworthy.yml', text: gitlabJob(known) };
}

/** The report is shown on the page of the run, and kept as a page to be downloaded. */
function githubWorkflow(known: Known): string {
  return `# Tests the webhook receiver of this project; seaworthy.config.ts says how.
${kitNote(known)}name: webhooks
on: [push, pull_request]
permissions:
  contents: read
jobs:
  webhooks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
${steps(known)
  .map((line) => `      - run: ${line}\n`)
  .join('')}      - run: ${command(known)} --report terminal --report github --report html=seaworthy-report.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: seaworthy-report
          path: seaworthy-report.html
`;
}

/** The tests are shown in the merge request, and the page opens from the job. */
function gitlabJob(known: Known): string {
  return `# Tests the webhook receiver of this project; seaworthy.config.ts says how.
${kitNote(known)}# Add this to .gitlab-ci.yml:  include: [{ local: .gitlab/seaworthy.yml }]
webhooks:
  image: node:24
  script:
${steps(known)
  .map((line) => `    - ${line}\n`)
  .join('')}    - ${command(known)} --report terminal --report junit=seaworthy.xml --report html=seaworthy-report.html
  artifacts:
    when: always
    expose_as: Webhook conformance
    paths: [seaworthy-report.html]
    reports:
      junit: seaworthy.xml
`;
}

function steps({ install, start }: Known): readonly string[] {
  return [
    ...(install === undefined ? [] : [install]),
    ...(start === undefined ? ['echo "start your receiver here, in the background" && exit 1'] : []),
  ];
}

/** A project without the kit among its packages has it fetched, once there is something to fetch. */
function command({ dependsOnKit }: Known): string {
  const { name, version } = kitIdentity();
  return dependsOnKit ? `npx ${name} receiver` : `npx --yes ${name}@${version} receiver`;
}

function kitNote({ dependsOnKit }: Known): string {
  const { name, version } = kitIdentity();
  return dependsOnKit
    ? ''
    : `# ${name} is not published yet: until it is, put the file that "npm pack" makes of its clone into your repository, and write
# ./${name}-${version}.tgz in place of ${name}@${version} here.
`;
}
