/**
 * An address as errors show it: without the user and the password in it. What is no address is cut wherever there may be
 * some.
 *
 * @example maskedAddress('ftp://me:s3cret@example.com/hooks') // 'ftp://…@example.com/hooks'
 */
export function maskedAddress(text: string): string {
  const [, start = '', rest = text] = /^([a-z][\w+.-]*:\/\/)(.*)$/is.exec(text) ?? [];
  const isAddress = start !== '' && URL.parse(text) !== null;
  return start + rest.replace(isAddress ? /^[^/?#]*@/ : /^.*@/s, '…@');
}
