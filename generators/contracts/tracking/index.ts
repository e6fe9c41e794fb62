export { billOfLading, type BillOfLadingConstraints } from './tradeNumbers.ts';
export { bookingNumber } from './tradeNumbers.ts';
export { containerCheckDigit, containerNumber, type ContainerNumberConstraints } from './containerNumber.ts';
export { imoCheckDigit, imoNumber } from './tradeNumbers.ts';
export { locode } from './tradeNumbers.ts';
export { scac, shippingLineScacs } from './tradeNumbers.ts';
export { trackingNumber } from './tradeNumbers.ts';
export { trackingRequest } from './trackingRequest.ts';
export { voyageNumber } from './tradeNumbers.ts';
