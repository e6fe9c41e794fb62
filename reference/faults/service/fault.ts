import type { ServicePolicies } from '../../service/policies.ts';
import type { ListName } from '../../service/records.ts';
import type { RequirementId } from '../../../spec/names.ts';

/**
 * A service's mistake: the replacement of one decision, or of two that belong together.
 *
 * Whatever else it does, a plain webhook can still be created, so that the mistake shows beside something that works.
 */
export interface ServiceFault {
  /** What it does wrong, as one sentence. */
  readonly summary: string;
  /** Every requirement that it breaks. The first one is its main point. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  /** What it remembers starts afresh with each call. */
  readonly change: (policies: ServicePolicies) => ServicePolicies;
  /** True where it shows only once the process was ended and started again. Default: false. */
  readonly processControl?: true;
  /**
   * True where it shows only after several calls and answers in a certain order, or in one call that is unusual in more
   * than one way: a search finds it (`seaworthy fuzz`), and the suite need not. Default: the suite finds it.
   */
  readonly subtle?: true;
  /** Milliseconds that an absence has to be awaited for it to show. Default: less than half a second will do. */
  readonly settle?: number;
  /** Milliseconds that the service waits for an answer, where that decides whether it shows. Default: as in any test. */
  readonly timeout?: number;
}

/** Faults by name; the name says what a service with it does. */
export type ServiceFaults = Readonly<Record<string, ServiceFault>>;

/** A JSON object, loosely: faults do with it what they like. */
export type Loose = Record<string, unknown>;

/** The same body with something changed in its value. */
export function rewritten(body: Buffer, change: (value: { data: Loose; included: unknown }) => unknown): Buffer {
  return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))));
}

/** The same body with other attributes of the notification. */
export function withAttributes(body: Buffer, attributes: Loose): Buffer {
  return rewritten(body, ({ data, ...rest }) => ({
    data: { ...data, attributes: { ...(data['attributes'] as Loose), ...attributes } },
    ...rest,
  }));
}

/** Another selection of rows in one list. @param where - an SQL expression */
export function listing(policies: ServicePolicies, name: ListName, where: string): ServicePolicies {
  return {
    ...policies,
    selection: (list) => (list === name ? { ...policies.selection(list), where } : policies.selection(list)),
  };
}
