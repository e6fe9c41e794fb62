export * from './contracts/tracking/index.ts';
export {
  customHeaderName,
  customHeaderValue,
  trigger,
  webhook,
  webhookCreation,
  type ResourceOptions,
} from './calls/requestBodies.ts';
export { invalidNeighbour, type InvalidNeighbour, type InvalidNeighbourOptions } from './schema/invalidNeighbour.ts';
export { isJsonObject, type Json, type JsonObject } from './json/json.ts';
export { fromPointer, toPointer, valueAt, withPointer } from './json/jsonPointer.ts';
export { largeNat, wholeList } from './arbitraries.ts';
export { withId, type Notification, type NotificationOptions } from './notification/notification.ts';
export { notification, type IdentifiedNotification, type OfContract } from './notification/namedNotification.ts';
export { signed, type SignedDelivery, type SigningOptions } from './notification/signed.ts';
export {
  describeEdit,
  describeEditIn,
  editSites,
  rawForm,
  writeJson,
  type RawFormConstraints,
} from './spelling/rawForm.ts';
export { editKinds, type Edit, type EditKind, type RawForm } from './spelling/edit.ts';
export { schemaArbitrary, UnsupportedSchema, type SchemaArbitraryOptions } from './schema/schemaArbitrary.ts';
export { awkwardKinds, groupText, text, type AwkwardKind, type TextConstraints, type TextKind } from './schema/text.ts';
export { timestamp, type TimestampConstraints } from './schema/timestamp.ts';
export { webhookBody, type WebhookBodyOptions } from './notification/webhookBody.ts';
