import { FOUND } from './document-store.ts';
import type { FoundSection } from './document-store.ts';
import type { Passage } from '../port.ts';

/** The few lines of a section in which most of the words stand. */
export function bestLines(section: FoundSection): Passage {
  const marked = section.body.split('\n');
  const counts = marked.map((line) => line.split(FOUND.start).length - 1);
  const start = bestStart(counts);
  const lines = marked.slice(start, start + SHOWN_LINES).map((line) => unmarked(line));
  const first = Math.max(0, lines.findIndex(isWritten));
  const shown = lines.slice(first, lines.findLastIndex(isWritten) + 1);
  return { path: section.path, line: section.line + start + first, heading: section.heading, lines: shown };
}

const SHOWN_LINES = 8;
const SHOWN_CHARS = 400;

const isWritten = (line: string): boolean => line.trim() !== '';

function bestStart(counts: readonly number[]): number {
  let best = 0;
  let bestCount = 0;
  for (const [at, own] of counts.entries()) {
    // Beginning with a line in which a word stands, and one line before it to see what it belongs to.
    if (own === 0) continue;
    const count = counts.slice(at, at + SHOWN_LINES - 1).reduce((sum, one) => sum + one, 0);
    if (count > bestCount) [best, bestCount] = [Math.max(0, at - 1), count];
  }
  return best;
}

function unmarked(line: string): string {
  const text = line.replaceAll(FOUND.start, '').replaceAll(FOUND.end, '');
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)} …`;
}
