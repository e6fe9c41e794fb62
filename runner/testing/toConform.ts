import type { App } from './app.ts';
import { callerOf } from './caller.ts';
import type { ListedCheck } from './listing.ts';
import type { ReceiverTestOptions } from './testOptions.ts';
import { TestRun } from './testRun.ts';
import { receiverTests, type Tests } from './tests.ts';
import type { Verdict } from './verdict.ts';

/** What `toConform` takes: all but where the receiver is, which is what the expectation is about. */
export type ConformOptions = Omit<ReceiverTestOptions, 'app' | 'start' | 'image' | 'port' | 'env' | 'secretEnv'>;

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Whether a receiver keeps its contract: a URL, or an app whose path is the option `url`. */
    toConform(options?: ConformOptions): Promise<void>;
  }
}

/**
 * A matcher for those who want one assertion: whether a receiver keeps its contract.
 *
 * @example
 * expect.extend({ toConform });
 * await expect('http://localhost:3000/hooks').toConform({ secret: 's3cret', probe: (id) => orders.count(id) });
 * await expect(app).toConform({ url: '/hooks', secret: 's3cret' });
 */
export async function toConform(
  receiver: string | App,
  options: ConformOptions = {},
): Promise<{ readonly pass: boolean; readonly message: () => string }> {
  const target = typeof receiver === 'string' ? { url: receiver } : { app: receiver };
  const tests = receiverTests({ ...options, ...target }, 'toConform');
  const ends = await endsOf(tests, new TestRun(tests, callerOf(toConform)));
  const failures = ends.flatMap(failureOf);
  if (failures.length === 0 && ends.every(({ verdict }) => verdict.skipped !== undefined))
    throw new Error(`Nothing could be observed: ${ends[0]?.verdict.skipped}`);
  const many = failures.length === 1 ? 'A check fails' : `${failures.length} checks fail`;
  return {
    pass: failures.length === 0,
    message: () =>
      failures.length === 0
        ? 'The receiver keeps its contract as far as it was observed.'
        : `The receiver does not keep its contract. ${many}:\n\n${failures.join('\n\n')}`,
  };
}

/** How a check ended. */
interface End {
  readonly check: ListedCheck;
  readonly verdict: Verdict;
}

/** @throws why the receiver could not be tested */
async function endsOf({ requirements }: Tests, run: TestRun): Promise<readonly End[]> {
  const checks = requirements.flatMap((requirement) => requirement.checks);
  try {
    await run.begin(checks.map(({ id }) => id));
    return await Promise.all(checks.map(async (check) => ({ check, verdict: await run.verdict(check) })));
  } finally {
    await run.end();
  }
}

/** Why it does not end as it should, in words. */
function failureOf({ check, verdict: { error, skipped } }: End): readonly string[] {
  const { id, title, requirements, known } = check;
  if (error !== undefined && known === undefined)
    return [`${requirements[0]} ${id}: ${title}\n${error.message.replaceAll(/^(?=.)/gm, '  ')}`];
  if (error !== undefined || known === undefined || skipped !== undefined) return [];
  return [`${id} does not fail any more: take the entry out of expectFailures`];
}
