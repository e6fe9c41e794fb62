/*
 * A receiver that dies of one kind of delivery, in the way of DIES. What it accepts takes effect a moment later, and only in
 * memory. Plain JavaScript, so that nothing but a Node is needed to start it.
 */
import { existsSync, writeFileSync } from 'node:fs';

// It is started hundreds of times: an import of node:http reads all that it has, which takes as long as the rest of a start.
const { createServer } = process.getBuiltinModule('node:http');
const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');

const { DIES = '', PORT = '0', SECRET = '', MARK = '' } = process.env;
const effects = new Map();
let seen = 0;
let sinceRefusal = 0;

/** Ways to treat a signature: whether it is right. */
function verified(given, right) {
  if (!DIES.startsWith('comparing')) return given === right;
  if (DIES.includes('for good') && given.length !== right.length) writeFileSync(MARK, 'work in progress');
  return timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

function read(text) {
  if (DIES === 'parsing') return JSON.parse(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function depthOf(value) {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

function take(request, body) {
  if (request.method !== 'POST') return 405;
  if (DIES === 'requests later' && sinceRefusal > 0 && sinceRefusal++ === 20) setTimeout(() => process.exit(5), 10);
  if (DIES.includes('for good') && existsSync(MARK)) return 500;
  const right = createHmac('sha256', SECRET).update(body).digest('hex');
  const given = String(request.headers['x-svc-webhook-signature'] ?? '');
  if (DIES === 'unawaited' && given !== right) {
    setTimeout(() => Promise.reject(new Error('the signature is wrong')), 30);
  } else if (SECRET !== '' && !verified(given, right)) {
    if (DIES === 'seconds later' && given === '') setTimeout(() => process.exit(5), 1000);
    sinceRefusal ||= 1;
    if (DIES === 'later') setTimeout(() => Promise.reject(new Error('the audit log is closed')), 150);
    return 401;
  }
  const value = read(body.toString());
  if (DIES === 'nesting') depthOf(value);
  const { id, attributes } = value?.data ?? {};
  if (typeof id !== 'string') return 400;
  setTimeout(() => {
    effects.set(id, 1);
    if (DIES === 'once' && effects.size > 5 && !existsSync(MARK)) {
      writeFileSync(MARK, '');
      process.exit(5);
    }
    if (DIES === 'among' && attributes?.event.endsWith('.vessel_arrived') && seen++ > 6) process.exit(9);
    if (DIES === 'working' && String(attributes?.event).endsWith('.vessel_arrived')) process.exit(9);
  }, 20);
  return 200;
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('error', () => {});
  request.on('end', () => {
    const id = /^\/effects\/(.*)$/.exec(request.url)?.[1];
    if (id !== undefined) return response.end(JSON.stringify({ count: effects.get(id) ?? 0 }));
    response.statusCode = take(request, Buffer.concat(chunks));
    // Slow enough that the kit has several cases at work.
    return DIES.endsWith('slowly') ? setTimeout(() => response.end(), 50) : response.end();
  });
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
