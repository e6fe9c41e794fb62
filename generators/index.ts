export { billOfLading, type BillOfLadingConstraints } from './trade/billOfLading.ts';
export { bookingNumber } from './trade/trackingNumber.ts';
export { containerCheckDigit, containerNumber, type ContainerNumberConstraints } from './trade/containerNumber.ts';
export { customHeaderName, customHeaderValue } from './calls/customHeader.ts';
export { imoCheckDigit, imoNumber } from './trade/imoNumber.ts';
export { invalidNeighbour, type InvalidNeighbour, type InvalidNeighbourOptions } from './schema/invalidNeighbour.ts';
export { isJsonObject, type Json, type JsonObject } from './json/json.ts';
export { fromPointer, toPointer, valueAt } from './json/jsonPointer.ts';
export { largeNat } from './schema/largeNat.ts';
export { locode } from './trade/locode.ts';
export { notification, type Notification, type NotificationOptions } from './notification/notification.ts';
export {
  describeEdit,
  describeEditIn,
  editSites,
  rawForm,
  writeJson,
  type RawFormConstraints,
} from './spelling/rawForm.ts';
export { editKinds, type Edit, type EditKind, type RawForm } from './spelling/edit.ts';
export { scac, shippingLineScacs } from './trade/scac.ts';
export { schemaArbitrary, UnsupportedSchema, type SchemaArbitraryOptions } from './schema/schemaArbitrary.ts';
export { awkwardKinds, text, type AwkwardKind, type TextConstraints, type TextKind } from './schema/text.ts';
export { timestamp, type TimestampConstraints } from './schema/timestamp.ts';
export { trackingNumber } from './trade/trackingNumber.ts';
export { trackingRequest } from './calls/trackingRequest.ts';
export { trigger } from './calls/trigger.ts';
export { voyageNumber } from './trade/voyageNumber.ts';
export { webhookBody, type WebhookBodyOptions } from './notification/webhookBody.ts';
export { webhook, type ResourceOptions } from './calls/webhook.ts';
export { webhookCreation } from './calls/webhookCreation.ts';
export { wholeList } from './schema/wholeList.ts';
export { withId } from './notification/notification.ts';
export { withPointer } from './json/withPointer.ts';
