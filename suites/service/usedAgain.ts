import type { ServiceFinding } from '../check.ts';
import { finding } from '../finding.ts';
import { counted } from '../items.ts';
import type { Notified, ServiceKit } from '../serviceKit.ts';

/**
 * A notification whose id an earlier one had already, of something else.
 *
 * @param known - what had come before it happened
 * @param came - what came of it, and of nothing else
 */
export function usedAgain(
  kit: ServiceKit,
  known: readonly Notified[],
  came: readonly Notified[],
): ServiceFinding | undefined {
  const earlier = new Map(known.map((each) => [each.id, each]));
  const isOther = ({ id, event, attempts: [first] }: Notified): boolean => {
    const before = id === '' ? undefined : earlier.get(id);
    if (before === undefined) return false;
    return (
      before.event !== event || kit.delivered(before.attempts[0], 'createdAt') !== kit.delivered(first, 'createdAt')
    );
  };
  const again = came.find(isOther);
  const before = again && earlier.get(again.id);
  if (again === undefined || before === undefined) return undefined;
  return finding('NTF-2', {
    expected: `${counted(came.length, 'notification')} have ids that none before them had`,
    actual: 'the id of one is that of an earlier notification, of something else',
    exchanges: [before.attempts[0], again.attempts[0]],
    hint: 'Take ids from a source that does not repeat itself, such as random uuids. A counter that they are made of has to be stored, and must not begin anew with the process.',
  });
}
