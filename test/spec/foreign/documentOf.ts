/** A document with one webhook, whose bodies have this schema. */
export function documentOf(
  schema: unknown,
  { openapi = '3.1.0', schemas = {} }: { readonly openapi?: string | undefined; readonly schemas?: object } = {},
): Readonly<Record<string, unknown>> {
  const content = { 'application/json': { schema } };
  const entry = { happened: { post: { requestBody: { content } } } };
  return { openapi, [openapi.startsWith('3.0') ? 'x-webhooks' : 'webhooks']: entry, components: { schemas } };
}
