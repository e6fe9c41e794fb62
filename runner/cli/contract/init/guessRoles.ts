import { isRecord } from '../../../../spec/jsonSchema.ts';

/** An operation that may play a part of the service's API. */
export interface GuessedRole {
  readonly role: string;
  readonly operationId: string;
  readonly why: string;
}

interface Called {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** A collection of webhooks, one of them, and what lies below. */
const collection = /\/(webhooks?|hooks|webhook[-_]?(endpoints|subscriptions)|subscriptions|endpoints)\/?$/i;
const item = /\/(webhooks?|hooks|webhook[-_]?(endpoints|subscriptions)|subscriptions|endpoints)\/\{[^/]+\}\/?$/i;

const roles: readonly (readonly [role: string, method: RegExp, path: RegExp])[] = [
  ['create', /^post$/, collection],
  ['list', /^get$/, collection],
  ['read', /^get$/, item],
  ['update', /^(patch|put)$/, item],
  ['delete', /^delete$/, item],
  ['sample', /^post$/, /(webhooks?|hooks|endpoints).*\/(tests?|trigger|ping|send[-_]?example|samples?)\/?$/i],
  ['notifications', /^get$/, /(webhooks?|hooks|endpoints).*\/(deliveries|attempts|notifications|logs|messages)\/?$/i],
];

/** The operations by which webhooks seem to be registered, changed and removed; the shortest path of each part. */
export function guessRoles(document: Readonly<Record<string, unknown>>): readonly GuessedRole[] {
  const operations = operationsOf(document);
  return roles.flatMap(([role, method, path]) => {
    const [first] = operations
      .filter((each) => method.test(each.method) && path.test(each.path))
      .toSorted((a, b) => a.path.length - b.path.length);
    if (first === undefined) return [];
    return [{ role, operationId: first.operationId, why: `${first.method.toUpperCase()} ${first.path}` }];
  });
}

function operationsOf({ paths }: Readonly<Record<string, unknown>>): readonly Called[] {
  return Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, entry]) =>
    Object.entries(isRecord(entry) ? entry : {}).flatMap(([method, operation]) => {
      const operationId = isRecord(operation) ? operation['operationId'] : undefined;
      return typeof operationId === 'string' ? [{ operationId, method, path }] : [];
    }),
  );
}
