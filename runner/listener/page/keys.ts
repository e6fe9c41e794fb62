import { useEffect, useRef } from 'preact/hooks';

import type { ListedNotification } from './notificationList.tsx';

interface Keyed {
  readonly notifications: readonly ListedNotification[];
  readonly selected: number | undefined;
  readonly select: (number: number | undefined) => void;
  readonly search: () => void;
  readonly pause: () => void;
  /** Called with a key that means nothing else: it may choose an answer. */
  readonly answer: (key: string) => void;
}

/** Does what keys ask for, but where somebody types. */
export function useKeys(keyed: Keyed): void {
  const latest = useRef(keyed);
  latest.current = keyed;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof Element && event.target.matches('input:not([type=checkbox]), textarea');
      if (isTyping) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur();
        return;
      }
      if (doKey(event.key, latest.current)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** @returns whether the key means something */
function doKey(key: string, { notifications, selected, select, search, pause, answer }: Keyed): boolean {
  const numbers = notifications.map(({ last }) => last.number);
  const at = notifications.findIndex(({ attempts }) => attempts.some(({ number }) => number === selected));
  switch (key) {
    case 'j':
    case 'ArrowDown':
      select(numbers[Math.min(at + 1, numbers.length - 1)] ?? selected);
      return true;
    case 'k':
    case 'ArrowUp':
      select(numbers[Math.max(at - 1, 0)] ?? selected);
      return true;
    case 'Escape':
      select(undefined);
      return true;
    case '/':
      search();
      return true;
    case 'p':
      pause();
      return true;
    default:
      answer(key);
      return false;
  }
}
