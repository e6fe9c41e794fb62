import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const rooms = ['spec', 'generators', 'suites', 'reports', 'runner'];

/** What only the tracking service calls so: its events, its operations, its header, the kind of its documents. */
const names = (() => {
  const { events, operations, delivery } = loadContract();
  const headers = (delivery.signature?.headers ?? []).flatMap(({ name = [] }) => name);
  return [...events.map(({ name }) => name), ...operations.map(({ operationId }) => operationId), ...headers];
})();

/** The names of types are made of that contract; and Docker, too, lists its containers. */
const others = ['spec/names.ts', 'runner/process/removeContainers.ts'];

function filesOf(room: string): readonly string[] {
  const all = readdirSync(join(root, room), { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile() && /\.(tsx?|yaml|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    .filter((file) => !file.startsWith('spec/contracts/tracking/') && !others.includes(file));
}

it('names nothing of one service outside the folder of its contract', () => {
  const found = rooms.flatMap(filesOf).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return names.filter((name) => text.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});

it('would find what stands there', () => {
  const text = readFileSync(join(root, 'spec/contracts/tracking/openapi.yaml'), 'utf8');
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});
