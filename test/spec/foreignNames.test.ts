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

/** The names of types and the values that are read at a start are made of that contract; and Docker, too, lists its containers. */
const others = ['spec/names.ts', 'spec/shippedValues.json', 'runner/process/removeContainers.ts'];

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

/** What is said of shipments only. Docker has containers, and programs listen on ports. */
const tradeWords = /\w*(scac|shipment|shipping|vessel|voyage|bills? ?of ?lading|locode|freight|booking)\w*/gi;

/** Where they may stand: in what a room has of this contract alone, and in what starts the reference, which is a service of it. */
const tradePlaces = [
  'suites/contracts/tracking/',
  'generators/contracts/tracking/',
  'runner/cli/sandbox',
  'runner/cli/playApi.ts',
];

it('speaks of no trade outside the contract of that trade and what belongs to it', () => {
  const places = new Set<string>();
  const found = rooms.flatMap(filesOf).flatMap((file) => {
    const words = readFileSync(join(root, file), 'utf8').match(tradeWords) ?? [];
    const place = tradePlaces.find((allowed) => file.startsWith(allowed));
    if (place !== undefined && words.length > 0) places.add(place);
    return place === undefined ? words.map((word) => `${file}: ${word}`) : [];
  });
  expect(found).toEqual([]);
  // A place that needs none of them is no exception any more.
  expect(tradePlaces.filter((place) => !places.has(place))).toEqual([]);
});

it('would find what stands there', () => {
  const text = readFileSync(join(root, 'spec/contracts/tracking/openapi.yaml'), 'utf8');
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(50);
});
