import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The environment of a program whose resolver lies: it leads each of these names to these addresses in turn, and to the
 * last one ever after. Of any other name it knows nothing.
 *
 * @param folder - where what replaces the resolver is written
 */
export async function lyingResolver(
  folder: string,
  names: Readonly<Record<string, readonly string[]>>,
): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, 'lying-resolver.mjs');
  await writeFile(
    file,
    `import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
const names = ${JSON.stringify(names)};
function resolve(name) {
  const turns = names[name] ?? (isIP(name) === 0 ? [] : [name]);
  const address = turns.length > 1 ? turns.shift() : turns[0];
  if (address === undefined) throw Object.assign(new Error('getaddrinfo ENOTFOUND ' + name), { code: 'ENOTFOUND' });
  return { address, family: isIP(address) };
}
dns.promises.lookup = async (name, { all } = {}) => (all ? [resolve(name)] : resolve(name));
dns.lookup = (name, ...more) => {
  const callback = more.pop();
  const [options = {}] = more;
  void dns.promises.lookup(name, options).then(
    (found) => (options.all ? callback(null, found) : callback(null, found.address, found.family)),
    callback,
  );
};
syncBuiltinESMExports();
`,
  );
  return { NODE_OPTIONS: `--import ${file}` };
}
