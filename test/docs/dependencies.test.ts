import { expect, test } from 'vitest';

import { parseYaml } from '../../spec/parseYaml.ts';
import { textOf } from './documents.ts';

const document = textOf('docs/dependencies.md');
const { dependencies, peerDependencies, scripts } = JSON.parse(textOf('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

interface Locked {
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };

test('each dependency has its reason, and no other package has one', () => {
  const tables = document
    .split('\nThese are optional.')
    .map((part) => [...part.matchAll(/^\| `([^`]+)` +\| (\S.*\S) +\|$/gm)].map(([, name]) => name!));
  expect(tables.map((names) => names.toSorted())).toEqual([
    Object.keys(dependencies!).toSorted(),
    Object.keys(peerDependencies!).toSorted(),
  ]);
});

test('what comes with the kit is as many packages as it says, under the licences that it names, and runs no script', () => {
  const installed = new Set<Locked>();
  const install = (name: string, place: string): void => {
    const own = `${place}node_modules/${name}`;
    const found = packages[own];
    if (found === undefined) return install(name, place.replace(/node_modules\/(?:@[^/]+\/)?[^/]+\/$/, ''));
    if (installed.has(found)) return;
    installed.add(found);
    for (const each of Object.keys(found.dependencies ?? {})) install(each, `${own}/`);
  };
  for (const name of Object.keys(dependencies!)) install(name, '');
  expect(document).toContain(`: ${installed.size + 1} packages in all`);
  const [, named = ''] = /^Licences: (.*)\.$/m.exec(document)!;
  const licences = new Set([...installed].map(({ license = 'none' }) => license));
  expect([...licences].toSorted()).toEqual(named.split(/, | and /).toSorted());
  expect([...installed].filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

test('an optional package that a project has for itself is no reason for npm to refuse the kit', () => {
  const bounded = Object.entries(peerDependencies!).filter(([, versions]) => !/^(\*|>=[\d.]+)$/.test(versions));
  expect(bounded).toEqual([]);
});

test('npm has nothing to ask about where the packed file is installed', () => {
  // Of a file npm also counts `prepare`, which it then never runs.
  const asked = Object.keys(scripts!).filter((name) => /^(pre|post)?(install|prepare)$/.test(name));
  expect(asked).toEqual([]);
});

test('a release is published after all that CI checks, by the workflow alone', () => {
  const { permissions, jobs } = parseYaml(textOf('.github/workflows/release.yml')) as {
    permissions: object;
    jobs: { publish: { permissions: object; steps: readonly { readonly run?: string }[] } };
  };
  expect(permissions).toEqual({});
  expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  const runs = jobs.publish.steps.flatMap(({ run }) => run ?? []);
  const place = (words: RegExp): number => runs.findIndex((run) => words.test(run));
  const order = [/\.ci\/run/, /^npm audit/, /npm sbom/, /^npm publish --provenance/, /^gh release/].map(place);
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});
