/** What ends a chunked body: the chunk of size 0 and no trailer (RFC 9112, section 7.1). */
export const lastChunk: Buffer = Buffer.from('0\r\n\r\n');

const lineEnd = Buffer.from('\r\n');

/** The pieces of one chunk: its size, the data (not copied), the line end. No data is no chunk: it would end the body. */
export function chunk(data: Buffer): readonly Buffer[] {
  return data.length === 0 ? [] : [Buffer.from(`${data.length.toString(16)}\r\n`), data, lineEnd];
}
