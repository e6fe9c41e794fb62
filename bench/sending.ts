import { bareUndici, cannon, connections, type Contender, deliverer, engine, wrk } from './contenders.ts';
import { nextDelivery } from './generate.ts';
import { cpuSince, type Group, inTurns } from './group.ts';
import { startServer } from './startServer.ts';

/** Deliveries that each contender sends in a round; autocannon and wrk send for a second. */
const deliveriesARound = 8000;

/** Sending deliveries to a server of another process that forgets them. */
export const sending: Group = {
  name: 'sending',
  how: `${connections} connections to one node:http server in another process. The pool, autocannon and wrk send deliveries
that were made beforehand and drop the answers; the deliverer reads, times and keeps each answer; the engine makes its own
deliveries too, signs and judges each, and reports it as an event. By CPU: deliveries in a second of CPU of the process that
sends, which other programs of the machine disturb less.`,
  unit: 'per second',
  moreIsBetter: true,
  open: async () => {
    const server = await startServer('forgets');
    const { url } = server;
    const deliveries = Array.from({ length: deliveriesARound }, nextDelivery);
    const byCpu: Record<string, number> = {};
    const contender = (name: string, send: Contender) => async () => {
      const before = process.cpuUsage();
      const rate = await send(url, deliveries);
      byCpu[`${name}, by CPU`] = deliveries.length / cpuSince(before);
      return rate;
    };
    const round = inTurns({
      'bare undici pool': contender('bare undici pool', bareUndici),
      deliverer: contender('deliverer', deliverer),
      'whole engine': contender('whole engine', engine),
      autocannon: () => cannon(url, deliveries, 1),
      wrk: () => wrk(url, deliveries),
    });
    return {
      round: async (place) => ({ ...(await round(place)), ...byCpu }),
      pairs: [
        ['deliverer', 'bare undici pool'],
        ['deliverer, by CPU', 'bare undici pool, by CPU'],
        ['whole engine', 'bare undici pool'],
        ['whole engine, by CPU', 'bare undici pool, by CPU'],
        ['whole engine', 'autocannon'],
        ['whole engine', 'wrk'],
        ['autocannon', 'bare undici pool'],
      ],
      close: () => server.close(),
    };
  },
};

/** The catcher beside a server that does the least with what comes. @param part - of a whole round's time, a second each */
export const catching = (part: number): Group => ({
  name: 'catching',
  how: `autocannon sends to the catcher and to a node:http server that reads the whole body, each in a process of its own.
The catcher groups, keeps and reports every attempt; what it keeps is let go of every thousand.`,
  unit: 'per second',
  moreIsBetter: true,
  open: async () => {
    const servers = await Promise.all([startServer('catches'), startServer('reads')]);
    const [catcher, bare] = servers;
    const deliveries = Array.from({ length: 50 }, nextDelivery);
    return {
      round: inTurns({
        catcher: () => cannon(catcher!.url, deliveries, part),
        'bare node:http': () => cannon(bare!.url, deliveries, part),
      }),
      pairs: [['catcher', 'bare node:http']],
      close: async () => void (await Promise.all(servers.map((server) => server.close()))),
    };
  },
});
