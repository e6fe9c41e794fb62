import type { Contract } from '../spec/contract.ts';
import type { SignatureScheme } from '../spec/signature.ts';
import type { RequirementId } from '../spec/names.ts';
import type { Subject } from '../spec/requirement.ts';
import { type ContractPart, partsOf } from '../spec/contractParts.ts';

/** What {@link applicable} looks at. */
interface AnyCheck {
  readonly id: string;
  readonly requirements: readonly [RequirementId, ...RequirementId[]];
  readonly about?: readonly ContractPart[];
}

/** What a reader calls the parts that a contract may lack, in the order in which they are named. */
const words: Readonly<Partial<Record<ContractPart, string>>> = {
  id: 'ids of deliveries',
  'event-in-body': 'the event in the body',
  status: 'the status of a delivery',
  'created-at': 'a time of creation as a text (RFC 3339)',
  related: 'related resources',
  retries: 'retries',
  signature: 'signatures',
};

/** The same of a service; that it tracks nothing is not worth saying. */
const serviceWords: typeof words = {
  id: 'ids of deliveries',
  retries: 'retries',
  signature: 'signatures',
  'operation:list': 'a list of webhooks',
  'operation:update': 'updates',
  'operation:sample': 'samples',
  'operation:notifications': 'a list of deliveries',
  'operation:senders': 'sender addresses',
  'webhook:active': 'inactive webhooks',
  'webhook:secret': 'secrets that the service gives out',
  'webhook:headers': 'custom headers',
};

/** What a contract has not: the checks about these do not run under it. */
export function notIn(contract: Contract, subject: Subject = 'receiver'): readonly string[] {
  const parts = partsOf(contract);
  const named = Object.entries(subject === 'receiver' ? words : serviceWords) as [ContractPart, string][];
  return named.flatMap(([part, name]) => (parts.has(part) ? [] : name));
}

/**
 * The checks that mean something under a contract: those of parts that it has and of requirements that it has. The
 * others are not applicable; they do not run, and nothing is said of them but that.
 */
export function applicable<C extends AnyCheck>(
  contract: Contract,
  checks: readonly C[],
  scheme?: SignatureScheme,
): readonly C[] {
  const parts = partsOf(contract, scheme);
  const required = new Set(contract.requirements.map(({ id }) => id));
  return checks.flatMap((check) => {
    const [main, ...others] = check.requirements;
    if (!required.has(main) || !(check.about ?? []).every((part) => parts.has(part))) return [];
    const known = others.filter((id) => required.has(id));
    return known.length === others.length ? [check] : [{ ...check, requirements: [main, ...known] }];
  });
}
