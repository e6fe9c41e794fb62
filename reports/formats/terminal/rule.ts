import type { Page } from './page.ts';

/** A line across the page that begins with a title. */
export function rule(title: string, page: Page): string {
  return page.paint('bold', `── ${title} ${'─'.repeat(Math.max(0, page.width - title.length - 4))}`);
}
