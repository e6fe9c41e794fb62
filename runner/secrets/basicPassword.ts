/**
 * The password that the value of an `Authorization` header holds; where it holds a user alone, the name is as good as one.
 *
 * @returns nothing for any other scheme than Basic
 * @see RFC 7617, the Basic authentication scheme
 * @example basicPassword('Basic bWU6czNjcmV0') // 's3cret'
 */
export function basicPassword(value: string): string | undefined {
  const [, encoded] = /^basic +([\w+/-]+={0,2})$/i.exec(value) ?? [];
  if (encoded === undefined) return undefined;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return password.join(':') || user || undefined;
}
