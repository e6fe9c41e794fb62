import { afterEach, describe, expect, it } from 'vitest';

import { listsChecks } from '../../../suites/service/lists/checks.ts';
import { HandService, resourceOf, type Traits } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';

const webhooks = listsChecks.filter(({ id }) => id === 'service/lists/webhooks');
const size = 25;
let service: HandService | undefined;

afterEach(() => service?.close());

/** Shows a page of webhooks, whatever is asked for. */
async function held(linksOf: (isLast: boolean) => object, pageOf: (query: URLSearchParams) => number = () => 1) {
  const answer: Traits['answer'] = ({ method, path, query }, { webhooks: all }) => {
    if (method !== 'GET' || path !== '/webhooks') return undefined;
    const page = pageOf(query);
    const shown = [...all.values()].slice((page - 1) * size, page * size).map(resourceOf);
    return { status: 200, body: { data: shown, ...linksOf(all.size <= page * size) } };
  };
  service = await HandService.start({ answer });
  return (await hold(service, webhooks)).check();
}

describe('a list of webhooks that holds more than a page', () => {
  it('is cut off where it has links, and none to a next page', async () => {
    const check = await held(() => ({ links: {} }));
    expect(check).toMatchObject({ outcome: 'failed', counterexample: { requirements: ['LST-1'] } });
  });

  it('leaves open whether there are more pages where nothing says how they are asked for', async () => {
    const check = await held(() => ({}));
    expect(check).toMatchObject({ outcome: 'inconclusive' });
    expect(check.reason).toContain('--assume list.paging');
  });

  it('may be read by the numbers of its pages beside links that say nothing', async () => {
    const check = await held(
      () => ({ links: {} }),
      (query) => Number(query.get('page[number]') ?? 1),
    );
    expect(check).toMatchObject({ outcome: 'passed' });
  });
});

describe('a list of webhooks that is behind', () => {
  it('is read again until it shows what was created', async () => {
    const readings: object[][] = [];
    const answer: Traits['answer'] = ({ method, path }, { webhooks: all }) => {
      if (method !== 'GET' || path !== '/webhooks') return undefined;
      readings.push([...all.values()].map(resourceOf));
      return { status: 200, body: { data: readings.at(-4) ?? [] } };
    };
    service = await HandService.start({ answer });
    const check = (await hold(service, webhooks)).check();
    expect(check).toMatchObject({ outcome: 'passed' });
  });
});
