import { fromPointer } from '../../generators/json/jsonPointer.ts';
import type { ServiceTerms } from '../../spec/serviceTerms.ts';

/** What an attribute of a webhook is called in creations and updates. */
export function attributeNamed({ webhook }: ServiceTerms, member: keyof ServiceTerms['webhook']['members']): string {
  return fromPointer(webhook.members[member]).at(-1)!;
}
