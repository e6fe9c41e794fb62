import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { shippingLineScacs } from '../../../generators/trade/scac.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import { Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { CallOptions, ServiceKit } from '../../serviceKit.ts';
import { create, inactive, listedAt, notAccepted } from '../creation.ts';
import { sampleOf } from '../sampling.ts';
import { trackingBody } from '../trackingBody.ts';

/** A number that looks like one, where the user gave none. */
const plausible = { scac: shippingLineScacs[0]!, number: `${shippingLineScacs[0]!}123456789` };

/** How one operation is called with the right key and with a wrong one. */
export interface SecuredCall {
  /**
   * The call with the right key, of which the other differs in the key alone. Not the same body where the right one
   * would do more than the case needs.
   */
  readonly twin: () => Promise<Call>;
  readonly unauthorized: (authorization: string | null) => Promise<Call>;
  /** What the call without a right key brought about all the same, in words; nothing where nothing is seen. */
  readonly effect: () => Promise<string | undefined>;
  /** True: the twin comes last, since nothing is left after it. */
  readonly twinLast?: boolean;
}

/** How to call an operation of the contract so that it is accepted. @throws Unobservable where it is not known how */
export async function securedCall(kit: ServiceKit, operationId: string): Promise<SecuredCall> {
  const prepare = Object.hasOwn(preparations, operationId) ? preparations[operationId] : undefined;
  const operation = kit.contract.operations.find((each) => each.operationId === operationId);
  if (prepare) return prepare(kit);
  if (operation !== undefined && Object.keys(operation.request).length === 0 && !operation.path.includes('{')) {
    return plain(kit, operationId, {});
  }
  throw new Unobservable(`nothing is known of how ${operationId} is called`);
}

const preparations: Readonly<Record<string, (kit: ServiceKit) => Promise<SecuredCall> | SecuredCall>> = {
  createWebhook: (kit) => {
    const { url } = kit.endpoint();
    return {
      twin: async () => (await create(kit, inactive(kit, kit.endpoint().url))).call,
      unauthorized: async (authorization) => (await create(kit, inactive(kit, url), { authorization })).call,
      effect: async () => ((await listedAt(kit, url)) ?? []).map(() => 'a webhook with this url is listed').at(0),
    };
  },
  triggerWebhook: (kit) =>
    plain(kit, 'triggerWebhook', {
      body: sampleOf(kit, { url: kit.endpoint().url, event: kit.contract.events[0]!.name }),
    }),
  inferTrackingNumber: (kit) => {
    const { number } = kit.trackable[0] ?? plausible;
    return plain(kit, 'inferTrackingNumber', { body: { [kit.assumption('inferNumber.member')]: number } });
  },
  createTrackingRequest: (kit) => trackingCall(kit),
  readWebhook: async (kit) =>
    plain(kit, 'readWebhook', { parameters: { id: (await kit.register({ active: false })).id } }),
  updateWebhook: async (kit) => {
    const webhook = await kit.register({ active: false });
    const { request } = await kit.update(webhook, { ...kit.plainAttributes(webhook.endpoint.url, { active: false }) });
    return plain(kit, 'updateWebhook', { body: request.body, parameters: { id: webhook.id } });
  },
  deleteWebhook: (kit) => deletion(kit),
};

function plain(kit: ServiceKit, operationId: string, how: CallOptions): SecuredCall {
  return {
    twin: () => kit.call(operationId, how),
    unauthorized: (authorization) => kit.call(operationId, { ...how, authorization }),
    effect: async () => undefined,
  };
}

/** The webhook is the kit's to remove where the twin does not. */
async function deletion(kit: ServiceKit): Promise<SecuredCall> {
  const creation = await kit.call('createWebhook', { body: inactive(kit, kit.endpoint().url) });
  const id = valueAt(kit.json(creation) ?? null, kit.terms.webhook.wrapper + kit.terms.webhook.members.id);
  if (typeof id !== 'string') throw notAccepted(creation);
  const twin = async (): Promise<Call> => {
    const call = await kit.call('deleteWebhook', { parameters: { id } });
    if (!kit.succeeded(call)) kit.adopt(creation);
    return call;
  };
  return { ...plain(kit, 'deleteWebhook', { parameters: { id } }), twin, twinLast: true };
}

/** The twin asks for nothing that could be tracked, so that nothing is. */
function trackingCall(kit: ServiceKit): SecuredCall {
  const [tracked = plausible] = kit.trackable;
  const body = trackingBody(kit.terms, tracked);
  const unfit: Json = withPointer(body, kit.terms.tracking.wrapper + kit.terms.tracking.members.number, null);
  return {
    twin: () => kit.call('createTrackingRequest', { body: unfit }),
    unauthorized: (authorization) => kit.call('createTrackingRequest', { body, authorization }),
    effect: async () => undefined,
  };
}
