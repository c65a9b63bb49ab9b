import { cellText } from './print.ts';
import type { Goal } from './part.ts';

/** How much worse than the committed one a ratio may be: two measurements of the same code differ by less. */
const TOLERANCE = 1.25;

/** What the page says was found, by the name of the figure. */
export function committedFigures(document: string): ReadonlyMap<string, number> {
  const rows = document.split('<!-- bench goals -->')[1]?.split('<!-- end goals -->')[0]?.split('\n') ?? [];
  return new Map(
    rows.flatMap((row): [string, number][] => {
      const [, what = '', , found = ''] = row.split('|').map((cell) => cell.trim());
      const value = Number.parseFloat(found.replaceAll(',', ''));
      return found.endsWith('×') && Number.isFinite(value) ? [[what, value]] : [];
    }),
  );
}

/** The names of the ratios that can be compared. */
export const comparedFigures = (goals: readonly Goal[], committed: ReadonlyMap<string, number>): readonly string[] =>
  goals.flatMap(({ what, found, unit }) => (committed.has(what) && found !== null && unit === '×' ? [what] : []));

/** A line for each ratio that is worse than the committed one. Times are not compared: they belong to a machine. */
export function worseFigures(goals: readonly Goal[], committed: ReadonlyMap<string, number>): readonly string[] {
  return goals.flatMap(({ what, found, unit }) => {
    const before = committed.get(what);
    if (before === undefined || found === null || unit !== '×' || found <= before * TOLERANCE) return [];
    return [`${what}: ${cellText(found)} ×, committed ${cellText(before)} ×`];
  });
}
