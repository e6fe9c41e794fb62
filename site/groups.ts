/** The documents of the site by group, in the order of the navigation, by their path from the root of the repository. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  'Ten minutes': ['docs/sandbox.md', 'docs/service.md', 'docs/contracts.md'],
  Concepts: ['docs/concepts.md', 'docs/receiver.md', 'docs/reading-a-report.md', 'docs/fuzzing.md', 'docs/crashes.md'],
  Recipes: [
    'docs/probes.md',
    'examples/README.md',
    'examples/postgres/README.md',
    'docs/testing.md',
    'docs/ci.md',
    'docs/listening.md',
    'docs/library.md',
    'docs/load.md',
  ],
  // Made of the table of examples/README.md.
  Examples: [],
  Contracts: [
    'docs/contracts/tracking.md',
    'docs/contracts/github.md',
    'docs/contracts/stripe.md',
    'docs/contracts/standard-webhooks.md',
    'docs/contracts/shopify.md',
    'docs/contracts/slack.md',
  ],
  Reference: [
    'docs/options.md',
    'docs/contract-form.md',
    'docs/errors.md',
    'docs/reports.md',
    'docs/html-report.md',
    'docs/measurements.md',
    'docs/performance.md',
    'docs/zoo.md',
    'docs/mutations.md',
    'docs/dependencies.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ],
};
