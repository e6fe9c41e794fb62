import type { Json } from '../../generators/json/json.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import { Caller } from './caller.ts';
import type { ServiceContext } from './context.ts';
import { readList } from './lists.ts';
import { nameOf } from './post.ts';
import { Registrar } from './registrar.ts';

const owner = { check: 'control', case: 0 } as const;

/**
 * Removes the webhooks of the run: those that are known, then those that the service lists at an endpoint of the run,
 * for it may have made some of calls that it refused, or whose answers were never read.
 */
export async function cleanUp(context: ServiceContext): Promise<void> {
  await Promise.all([...context.registrars].map((registrar) => registrar.clean()));
  const caller = new Caller(() => context, owner);
  const registrar = new Registrar(context, caller, owner);
  try {
    const { items, complete } = await readList(context, caller, 'listWebhooks');
    const own = items.filter((item) => isOwn(context, registrar, item));
    if (complete) for (const other of context.registrars) other.forgetAllBut(own);
    await registrar.removeListed(own);
  } catch (error) {
    if (!(error instanceof Unproven || error instanceof Unobservable)) throw error;
  }
}

/** Ids of what could not be removed. */
export function leftOver({ registrars }: ServiceContext): readonly string[] {
  return [...new Set([...registrars].flatMap(({ remaining }) => remaining))];
}

function isOwn({ endpoints }: ServiceContext, registrar: Registrar, item: Json): boolean {
  const url = registrar.member(item, 'url');
  return typeof url === 'string' && endpoints.has(nameOf(url));
}
