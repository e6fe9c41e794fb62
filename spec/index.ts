export type { Assumption, AssumptionDefinition } from './assumptions.ts';
export { AssumptionError, assumptionValue, resolveAssumptions } from './assumptions.ts';
export type {
  CatalogueEvent,
  Contract,
  ContractTexts,
  DeliveryTerms,
  IncludedResource,
  JsonSchema,
  Operation,
  SchemaObject,
  ServiceTerms,
  ValidateFunction,
} from './contract.ts';
export { ContractError, loadContract } from './contract.ts';
export { parseDuration } from './units.ts';
export type { Gap, Level, Requirement, Subject } from './requirement.ts';
export type { HeaderLookup, SignatureScheme, SigningInput } from './signature.ts';
export {
  parseScheme,
  signatureHeaderName,
  signatureHeaders,
  SignatureSchemeError,
  verifySignature,
} from './signature.ts';
