import type { ReceiverFuzzing, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import { receiverModel } from '../../suites/fuzz/receiver/index.ts';
import { serviceModel } from '../../suites/fuzz/service/index.ts';

/** What right targets of each kind make of sequences. */
export interface FuzzModels {
  readonly receiver: ReceiverFuzzing;
  readonly service: ServiceFuzzing;
}

/** The models of the kit. */
export const fuzzModels: FuzzModels = { receiver: receiverModel, service: serviceModel };
