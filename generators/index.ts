export { billOfLading, type BillOfLadingConstraints } from './billOfLading.ts';
export { bookingNumber } from './bookingNumber.ts';
export { containerCheckDigit, containerNumber, type ContainerNumberConstraints } from './containerNumber.ts';
export { customHeaderName, customHeaderValue } from './customHeader.ts';
export { imoCheckDigit, imoNumber } from './imoNumber.ts';
export { invalidNeighbour, type InvalidNeighbour, type InvalidNeighbourOptions } from './invalidNeighbour.ts';
export { isJsonObject, type Json, type JsonObject } from './json.ts';
export { fromPointer, toPointer, valueAt } from './jsonPointer.ts';
export { largeNat } from './largeNat.ts';
export { locode } from './locode.ts';
export { notification, type Notification, type NotificationOptions } from './notification.ts';
export {
  describeEdit,
  describeEditIn,
  editKinds,
  editSites,
  rawForm,
  writeJson,
  type Edit,
  type EditKind,
  type RawForm,
  type RawFormConstraints,
} from './rawForm.ts';
export { scac, shippingLineScacs } from './scac.ts';
export { schemaArbitrary, UnsupportedSchema, type SchemaArbitraryOptions } from './schemaArbitrary.ts';
export { awkwardKinds, text, type AwkwardKind, type TextConstraints, type TextKind } from './text.ts';
export { timestamp, type TimestampConstraints } from './timestamp.ts';
export { trackingNumber } from './trackingNumber.ts';
export { trackingRequest } from './trackingRequest.ts';
export { trigger } from './trigger.ts';
export { voyageNumber } from './voyageNumber.ts';
export { webhook, type ResourceOptions } from './webhook.ts';
export { webhookCreation } from './webhookCreation.ts';
export { withId } from './withId.ts';
export { withPointer } from './withPointer.ts';
