import { BodyError, readBody } from '../../receiver/body.ts';
import { parseJson, type Reply } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';
import { mortal } from './transport.ts';

/** Dies where the body cannot be collected for this reason. */
function dyingOf(policies: ReceiverPolicies, status: number): ReceiverPolicies {
  return mortal(policies, (die) => ({
    collect: (head) =>
      policies.collect(head).catch((error: unknown) => {
        if (error instanceof BodyError && error.statusCode === status) die();
        throw error;
      }),
  }));
}

/** Milliseconds after the answer until work that nobody waits for fails. */
const later = 400;

/** Depth at which a function that calls itself with big frames has used up its stack. */
const stack = 1000;

function assertShallow(value: unknown, depth = 0): void {
  if (depth > stack) throw new RangeError('Maximum call stack size exceeded');
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) assertShallow(member, depth + 1);
}

/** Copies members the way of many an old merge function: it does not stop at `__proto__`. */
function merge(target: Record<string, unknown>, source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [name, value] of Object.entries(source)) {
    const known = target[name];
    // The mistake is played on objects of this fault's own: the real Object.prototype is everyone's.
    if (known === Object.prototype) continue;
    if (typeof known === 'object' && known !== null) merge(known as Record<string, unknown>, value);
    else target[name] = value;
  }
}

/** What an error that is lost leaves behind. */
const never = new Promise<Buffer>(() => {});

const failed: Reply = { status: 500, body: 'failed' };

/** One hostile or unlucky sender spoils it for the others (ROB-1). */
export const safetyFaults: ReceiverFaults = {
  'dies-of-malformed-json': {
    summary: 'Ends with an uncaught exception where a body is not JSON.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        read: (body) => {
          if (parseJson(body) === undefined) throw die();
          return policies.read(body);
        },
      })),
  },
  'never-answers-what-is-no-json': {
    summary: 'Parses in an asynchronous handler, whose error nobody catches and nobody answers.',
    breaks: ['ROB-1'],
    timeout: 400,
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        const body = await policies.collect(head);
        return parseJson(body) === undefined ? never : body;
      },
    }),
  },
  'dies-of-a-non-ascii-header': {
    summary: 'Ends with an uncaught exception where the signature header has other characters than ASCII.',
    breaks: ['ROB-1', 'VRF-4'],
    change: (policies) =>
      mortal(policies, (die) => ({
        verify: (delivery) => {
          if (/[^\0-\x7f]/.test(delivery.signature ?? '')) throw die();
          return policies.verify(delivery);
        },
      })),
  },
  'dies-of-a-signature-of-one-digit': {
    summary: 'Ends with an uncaught exception where the signature is too short to be cut in two.',
    breaks: ['ROB-1', 'VRF-4'],
    change: (policies) =>
      mortal(policies, (die) => ({
        verify: (delivery) => {
          if (delivery.signature?.length === 1) throw die();
          return policies.verify(delivery);
        },
      })),
  },
  'dies-of-a-long-signature': {
    summary: 'Copies the signature into a buffer of 4096 bytes.',
    breaks: ['ROB-1', 'VRF-4'],
    change: (policies) =>
      mortal(policies, (die) => ({
        verify: (delivery) => {
          if ((delivery.signature?.length ?? 0) > 4096) throw die();
          return policies.verify(delivery);
        },
      })),
  },
  'dies-of-deep-nesting': {
    summary: 'Walks through the body by recursion, and ends where the stack does.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        read: (body) => {
          try {
            assertShallow(parseJson(body));
          } catch {
            throw die();
          }
          return policies.read(body);
        },
      })),
  },
  'dies-of-an-oversized-body': {
    summary: 'Ends where a body is larger than it may be.',
    breaks: ['ROB-1'],
    change: (policies) => dyingOf(policies, 413),
  },
  'bounds-bodies-by-their-content-length': {
    summary: 'Refuses a body whose content length is too large, and reads one that names none to its end.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      collect: (head) =>
        head.headers['content-length'] === undefined ? readBody(head, Infinity) : policies.collect(head),
    }),
  },
  'dies-of-a-broken-connection': {
    summary: 'Ends where a connection breaks within the body.',
    breaks: ['ROB-1', 'RTY-1', 'IDM-5'],
    change: (policies) => dyingOf(policies, 400),
  },
  'dies-of-bytes-that-are-no-http': {
    summary: 'Ends with an uncaught exception where a request cannot be parsed.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die, tune) => ({
        tune: (server) =>
          void tune(server).on(
            'clientError',
            ({ code }: { readonly code?: string }) =>
              code !== undefined && /^HPE_INVALID_(METHOD|VERSION|CONSTANT)/.test(code) && die(),
          ),
      })),
  },
  'hangs-on-other-methods': {
    summary: 'Answers only POST, and leaves every other method waiting.',
    breaks: ['ROB-1'],
    timeout: 400,
    change: (policies) => ({
      ...policies,
      tune: (server) => {
        policies.tune(server);
        const listeners = server.listeners('request');
        server.removeAllListeners('request').on('request', (request, reply) => {
          if (request.method !== 'POST' && request.headers['content-length'] !== undefined) return;
          for (const listener of listeners) Reflect.apply(listener, server, [request, reply]);
        });
      },
    }),
  },
  'answers-500-to-malformed-json': {
    summary: 'Reports a body that is not JSON as a failure of its own.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      answer: (outcome, delivery, notification) =>
        outcome === 'unreadable' && parseJson(delivery.body) === undefined
          ? failed
          : policies.answer(outcome, delivery, notification),
    }),
  },
  'lets-a-slow-body-block-the-rest': {
    summary: 'Reads one body at a time, so that a slow sender holds up all others.',
    breaks: ['ROB-1', 'RCV-4'],
    timeout: 400,
    change: (policies) => ({ ...policies, collect: inTurn(policies.collect) }),
  },
  'takes-defaults-from-the-body': {
    summary: 'Merges the body into an object through __proto__, and fails ever after on what it finds there.',
    breaks: ['ROB-1'],
    change: (policies) => {
      const defaults: Record<string, unknown> = {};
      return {
        ...policies,
        read: (body) => {
          const settings = Object.create(defaults) as Record<string, unknown>;
          merge(settings, parseJson(body));
          for (const name in defaults) throw new Error(`There is no setting ${name}.`);
          return policies.read(body);
        },
      };
    },
  },
  'dies-of-a-forgery-that-it-took': {
    summary:
      'Does not await the verification: it takes a forgery, and ends a moment later where nobody handles the failure.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5', 'ROB-1', 'VRF-4'],
    change: (policies) =>
      mortal(policies, (die) => ({
        verify: (delivery) => {
          if (!policies.verify(delivery)) setTimeout(die, later);
          return true;
        },
      })),
  },
  'dies-later-of-a-truncated-signature': {
    summary: 'Refuses a signature of another length, and ends a moment later: the audit of it throws.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        verify: (delivery) => {
          const { length = 64 } = delivery.signature ?? {};
          if (length > 0 && length < 64) setTimeout(die, later);
          return policies.verify(delivery);
        },
      })),
  },
  'dies-later-of-malformed-json': {
    summary: 'Refuses what is not JSON, and ends a moment later where it parses it once more in the background.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        read: (body) => {
          if (parseJson(body) === undefined) setTimeout(die, later);
          return policies.read(body);
        },
      })),
  },
  'reads-what-is-missing-from-other-bodies': {
    summary: 'Merges the body into an object through __proto__, and reads from there what a later body lacks.',
    breaks: ['ROB-1', 'RCV-5'],
    change: (policies) => {
      const defaults: Record<string, unknown> = {};
      return {
        ...policies,
        read: (body) => {
          const value = parseJson(body) as { readonly data?: object } | undefined;
          merge(Object.create(defaults) as Record<string, unknown>, value);
          const completed = { ...value, data: { ...defaults, ...value?.data } };
          return policies.read(body) ?? policies.read(Buffer.from(JSON.stringify(completed)));
        },
      };
    },
  },
  'lets-a-slow-body-block-the-rest-until-it-gives-up': {
    summary: 'Reads one body at a time, and waits for each longer than a service waits for its answer.',
    breaks: ['ROB-1', 'RCV-4'],
    timeout: 400,
    change: (policies) => {
      const collect = inTurn(policies.collect);
      return {
        ...policies,
        collect: (head) => {
          const limit = setTimeout(() => head.socket.destroy(), 600);
          return collect(head).finally(() => clearTimeout(limit));
        },
      };
    },
  },
};

/** Reads one body at a time. */
function inTurn(collect: ReceiverPolicies['collect']): ReceiverPolicies['collect'] {
  let turn: Promise<unknown> = Promise.resolve();
  return (head) => {
    const body = turn.then(() => collect(head));
    turn = body.catch(() => undefined);
    return body;
  };
}
