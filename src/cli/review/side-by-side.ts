import type { TextOptions } from '../artifacts/artifacts-text.ts';
import type { Style } from '../terminal/colour.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

export interface SideRow {
  readonly label: string;
  /** One for each column. */
  readonly cells: readonly SideCell[];
}

export interface SideCell {
  readonly text: string;
  readonly style?: Style | undefined;
}

const GAP = '  ';
const LEAST = 12;

/** Columns beside each other, with their cells wrapped; those that have no room follow in a block below. */
export function sideBySide(rows: readonly SideRow[], options: TextOptions): string {
  const count = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const label = Math.max(0, ...rows.map((row) => row.label.length));
  const room = options.width - label;
  const most = Math.max(1, Math.floor(room / (LEAST + GAP.length)));
  const blocks: string[] = [];
  for (let from = 0; from < count; from += most) {
    const some = rows.map((row) => ({ ...row, cells: row.cells.slice(from, from + most) }));
    blocks.push(block(some, { label, room }, options));
  }
  return blocks.join('\n\n');
}

interface Space {
  readonly label: number;
  readonly room: number;
}

function block(rows: readonly SideRow[], { label, room }: Space, { paint }: TextOptions): string {
  const count = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const widest = Math.max(LEAST, Math.floor(room / count) - GAP.length);
  const widths = Array.from({ length: count }, (_none, column) =>
    Math.min(widest, Math.max(...rows.map(({ cells }) => cells[column]?.text.length ?? 0))),
  );
  return rows
    .filter(({ cells }) => cells.some(({ text }) => text !== ''))
    .flatMap((row) => {
      const cells = row.cells.map(({ text, style }, column) => ({
        lines: cellLines(text, widths[column] ?? 0),
        style,
      }));
      const height = Math.max(1, ...cells.map(({ lines }) => lines.length));
      return Array.from({ length: height }, (_none, at) => {
        const parts = cells.map(({ lines, style }, column) => {
          const text = lines[at] ?? '';
          const pad = ' '.repeat(Math.max(0, (widths[column] ?? 0) - text.length));
          return `${style === undefined || text === '' ? text : paint(style, text)}${pad}`;
        });
        const head = (at === 0 ? row.label : '').padEnd(label);
        return [at === 0 ? paint('bold', head) : head, ...parts].join(GAP).trimEnd();
      });
    })
    .join('\n');
}

/** A word that is wider than its column is cut into pieces: the next column must stay where it is. */
const cellLines = (text: string, width: number): readonly string[] =>
  wrapWords(text, { width })
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'gu')) ?? ['']);
