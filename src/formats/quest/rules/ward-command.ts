import { quoteForShell } from '../../../core/model/shell-quote.ts';

/** The commands of Ward as one. Each in its own shell: an open quote or an `exit` of one cannot hide that another one failed. */
export function joinWard(ward: readonly string[]): string {
  const [only, ...more] = ward;
  if (only === undefined) return '';
  return more.length === 0 ? only : ward.map((each) => `/bin/sh -c ${quoteForShell(each)}`).join(' && ');
}
