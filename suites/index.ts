export type { Check, Finding, Need, ReceiverCheck, ServiceCheck, ServiceFinding, ServiceNeed } from './check.ts';
export { OutOfTime, receiverCheck, serviceCheck, Unobservable, Unproven } from './check.ts';
export type { Answer, Attempt, Delivery, Header, Wire, WireStep } from './delivery.ts';
export type { Draw } from './draw.ts';
export type { Point } from './finding.ts';
export { finding } from './finding.ts';
export type { ApiRequest, Call, CatchScript, CatchStep, Caught, Exchange, FoundSignature } from './exchange.ts';
export type { Composition, Effects, ReceiverKit } from './kit.ts';
export type { EffectClaim } from './receiver/effect.ts';
export { expectEffects } from './receiver/effect.ts';
export { acceptedTwin, expectAccepted, expectRefused } from './receiver/expectation.ts';
export { receiverChecks } from './receiver/index.ts';
export { serviceChecks } from './service/index.ts';
export type { TrackedNumber } from './service/trackingBody.ts';
export type { ServiceDraw } from './draw.ts';
export type {
  CallOptions,
  CatchingEndpoint,
  TriggeredEvent,
  ListedNotification,
  Notified,
  Registration,
  ServiceKit,
  Webhook,
} from './serviceKit.ts';
export type { Listing } from './service/listing.ts';
