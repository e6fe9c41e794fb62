import type { Contract } from '../../spec/contract.ts';
import type { FuzzModel } from './fuzzTarget.ts';
import type { RequirementId } from '../../spec/names.ts';
import type { ReceiverFuzzing, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import { receiverModel } from '../../suites/fuzz/receiver/index.ts';
import { serviceModel } from '../../suites/fuzz/service/index.ts';

/** The check of one requirement: it fails where a sequence breaks it. */
export interface FuzzCheck {
  /** `receiver/fuzz/idm-2` */
  readonly id: string;
  /** The requirement itself. */
  readonly title: string;
  readonly requirements: readonly [RequirementId];
}

/** What can be found broken under a contract, a check each. @param only - the requirements that are looked for. Default: all */
export function fuzzChecks(
  { subject, requirements, fatal }: Pick<FuzzModel, 'subject' | 'requirements' | 'fatal'>,
  contract: Contract,
  only?: readonly string[],
): readonly FuzzCheck[] {
  const required = new Set<string>(contract.requirements.map(({ id }) => id));
  const all = [...new Set([...requirements, fatal])].filter(
    (id) => required.has(id) && (only === undefined || only.includes(id)),
  );
  return all.map((id) => ({
    id: fuzzCheckId(subject, id),
    title: contract.requirement(id).statement,
    requirements: [id],
  }));
}

export function fuzzCheckId(subject: string, requirement: string): string {
  return `${subject}/fuzz/${requirement.toLowerCase()}`;
}

/** What right targets of each kind make of sequences. */
export interface FuzzModels {
  readonly receiver: ReceiverFuzzing;
  readonly service: ServiceFuzzing;
}

/** The models of the kit. */
export const fuzzModels: FuzzModels = { receiver: receiverModel, service: serviceModel };
