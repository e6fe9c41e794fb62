import type { Json } from '../../../generators/json/json.ts';
import type { OperationChoice } from '../../../spec/contract.ts';
import type { OperationRole } from '../../../spec/names.ts';
import { roleOfOperation } from '../../../spec/serviceTerms.ts';
import { Unobservable, unlessUnobservable } from '../../check.ts';
import { contractSuites } from '../../contracts/index.ts';
import type { Call } from '../../exchange.ts';
import type { CallOptions, ServiceKit } from '../../serviceKit.ts';
import { create, inactive, listed, listedAt, sameUrl } from '../creation.ts';
import { sampleOf } from '../sampling.ts';
import { expectListed } from '../updates/updated.ts';

/** How one operation is called with the right key and with a wrong one. */
export interface SecuredCall {
  /**
   * The call with the right key, of which the other differs in the key alone. Not the same body where the right one
   * would do more than the case needs.
   */
  readonly twin: () => Promise<Call>;
  readonly unauthorized: (authorization: string | null) => Promise<Call>;
  /** What the call without a right key brought about all the same; nothing where nothing is seen. */
  readonly effect: () => Promise<Effect | undefined>;
  /** True: the twin comes last, since nothing is left after it. */
  readonly twinLast?: boolean;
}

/** What a refused call did. */
interface Effect {
  /** In words. */
  readonly what: string;
  /** True: something is not there any more, or a list may be behind, so that it has to recur. */
  readonly absence?: true;
}

type Preparation = (kit: ServiceKit) => Promise<SecuredCall> | SecuredCall;

/** The query that asks for the second page of a list: one that has no query is the first, too. */
function aPage(kit: ServiceKit): Readonly<Record<string, string>> {
  const [page = '', size = ''] = kit.assumption('list.paging').split(',');
  return { [page]: String(Number(kit.assumption('list.firstPage')) + 1), [size]: kit.assumption('list.pageSize') };
}

/** How to call an operation of the contract so that it is accepted. @throws Unobservable where it is not known how */
export async function securedCall(
  kit: ServiceKit,
  { operationId, paged }: { readonly operationId: string; readonly paged?: true },
): Promise<SecuredCall> {
  const role = roleOfOperation(kit.contract, operationId);
  const prepare = role && preparations[role];
  if (prepare) return prepare(kit);
  const [own] = Object.values(contractSuites).flatMap(({ calls }) => (role && calls[role]) ?? []);
  if (own) {
    const { body, idle = body } = own(kit);
    return { ...plain(kit, { operationId }, { body }), twin: () => kit.call({ operationId }, { body: idle }) };
  }
  const { request, path } = kit.contract.operation({ operationId });
  if (Object.keys(request).length === 0 && !path.includes('{'))
    return plain(kit, { operationId }, paged ? { query: aPage(kit) } : {});
  throw new Unobservable(`nothing is known of how ${operationId} is called`);
}

const preparations: Readonly<Partial<Record<OperationRole, Preparation>>> = {
  create: (kit) => {
    const { url } = kit.endpoint();
    return {
      twin: async () => (await create(kit, inactive(kit, kit.endpoint().url))).call,
      unauthorized: async (authorization) => (await create(kit, inactive(kit, url), { authorization })).call,
      effect: async () => seen((await listedAt(kit, url))?.length, 'a webhook with this url is listed'),
    };
  },
  sample: (kit) => {
    const event = kit.contract.events[0].name;
    const endpoint = kit.endpoint();
    const body = (url: string): Json => sampleOf(kit, { url, event });
    return {
      ...plain(kit, 'sample', { body: body(endpoint.url) }),
      twin: () => kit.call('sample', { body: body(kit.endpoint().url) }),
      effect: async () => {
        // What was asked for later has come: by then the refused one would have.
        const later = kit.endpoint();
        await kit.attempt('sample', { body: body(later.url) });
        await kit.untilCaught(later);
        return seen(endpoint.caught.length, 'the sample came');
      },
    };
  },
  read: async (kit) => plain(kit, 'read', { parameters: { id: (await kit.register({ active: false })).id } }),
  update: async (kit) => {
    const webhook = await kit.register({ active: false });
    const other = kit.endpoint().url;
    const to = (url: string) => kit.update(webhook, { ...kit.plainAttributes(url, { active: false }) });
    const { request } = await to(other);
    await to(webhook.endpoint.url);
    const before = await expectListed(kit, webhook).catch(unlessUnobservable);
    return {
      ...plain(kit, 'update', { body: request.body, parameters: { id: webhook.id } }),
      effect: async () => {
        if (before === undefined || sameUrl(kit.member(before, 'url'), other)) return undefined;
        const after = await listed(kit, webhook);
        const isChanged = after !== undefined && sameUrl(kit.member(after, 'url'), other);
        // A list that is behind may show one of the updates before.
        return isChanged ? { what: 'the webhook is listed with the url of the update', absence: true } : undefined;
      },
      twinLast: true,
    };
  },
  delete: (kit) => deletion(kit),
};

function seen(count: number | undefined, what: string): Effect | undefined {
  return count === undefined || count === 0 ? undefined : { what };
}

function plain(kit: ServiceKit, operation: OperationChoice, how: CallOptions): SecuredCall {
  return {
    twin: () => kit.call(operation, how),
    unauthorized: (authorization) => kit.call(operation, { ...how, authorization }),
    effect: async () => undefined,
  };
}

async function deletion(kit: ServiceKit): Promise<SecuredCall> {
  const webhook = await kit.register({ active: false });
  const before = await expectListed(kit, webhook).catch(unlessUnobservable);
  return {
    ...plain(kit, 'delete', { parameters: { id: webhook.id } }),
    effect: async () => {
      const isGone = before !== undefined && (await listed(kit, webhook)) === undefined;
      return isGone ? { what: 'the webhook is not listed any more', absence: true } : undefined;
    },
    twinLast: true,
  };
}
