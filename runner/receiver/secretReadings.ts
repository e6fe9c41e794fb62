/** Another text that a program may take for the secret, where it reads it from a file or a setting. */
interface SecretReading {
  readonly text: string;
  /** What it is, in words: `the secret with a line feed behind it`. */
  readonly words: string;
}

const readings: Readonly<Record<string, (secret: string) => string>> = {
  'with a line feed behind it': (secret) => `${secret}\n`,
  'with a carriage return and a line feed behind it': (secret) => `${secret}\r\n`,
  'with a space behind it': (secret) => `${secret} `,
  'in quotation marks': (secret) => `"${secret}"`,
  'in single quotation marks': (secret) => `'${secret}'`,
  'without the white space around it': (secret) => secret.trim(),
  'without the quotation marks around it': (secret) => secret.replace(/^(["'])(.*)\1$/, '$2'),
};

/** What a receiver may have for its secret that was to have this one. */
export function secretReadings(secret: string): readonly SecretReading[] {
  const all = Object.entries(readings).map(([how, read]) => ({ text: read(secret), words: `the secret ${how}` }));
  return all.filter(({ text }) => text !== secret && text !== '');
}
