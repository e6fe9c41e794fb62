import { kitIdentity } from '../../output/kitIdentity.ts';
import type { Answers } from './answers.ts';
import type { Project } from './project.ts';

/** What a job needs to know. */
type Known = Pick<Project, 'install'> & Pick<Answers, 'start'>;

/** Where the workflow of a CI lies, and what it says. */
export function workflowOf(ci: 'github' | 'gitlab', known: Known): { readonly path: string; readonly text: string } {
  return ci === 'github'
    ? { path: '.github/workflows/seaworthy.yml', text: githubWorkflow(known) }
    : { path: '.gitlab/seaworthy.yml', text: gitlabJob(known) };
}

/** The report is shown on the page of the run, and kept as a page to be downloaded. */
function githubWorkflow(known: Known): string {
  return `# Tests the webhook receiver of this project; seaworthy.config.ts says how.
name: webhooks
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
  .join('')}      - run: ${command()} --report terminal --report github --report html=seaworthy-report.html
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
# Add this to .gitlab-ci.yml:  include: [{ local: .gitlab/seaworthy.yml }]
webhooks:
  image: node:24
  script:
${steps(known)
  .map((line) => `    - ${line}\n`)
  .join('')}    - ${command()} --report terminal --report junit=seaworthy.xml --report html=seaworthy-report.html
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

function command(): string {
  const { name, version } = kitIdentity();
  return `npx --yes ${name}@${version} receiver`;
}
