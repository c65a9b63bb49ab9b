import { counted } from '../../protocol/amounts.ts';
import type { Paint, Style } from '../terminal/colour.ts';
import type { ChangeView } from '../../host/deliver/change-view.ts';

const MARKS: Readonly<Record<ChangeView['change'], readonly [string, Style]>> = {
  added: ['A', 'green'],
  deleted: ['D', 'red'],
  modified: ['M', 'yellow'],
  mode: ['m', 'yellow'],
  type: ['T', 'yellow'],
};

/** A line for each change: `M  src/a.ts  +3 -1`. */
export function changeLines(changes: readonly ChangeView[], paint: Paint, most = Infinity): readonly string[] {
  const lines = changes.slice(0, most).map((change) => changeLine(change, paint));
  return changes.length <= most ? lines : [...lines, `…  and ${changes.length - most} more`];
}

function changeLine(change: ChangeView, paint: Paint): string {
  const [mark, style] = MARKS[change.change];
  const name = change.kind === 'folder' ? `${change.path}/` : change.path;
  return [`${paint(style, mark)}  ${name}`, ...remarks(change, paint)].join('  ');
}

function remarks({ kind, added = 0, removed = 0, isBinary, mode }: ChangeView, paint: Paint): readonly string[] {
  return [
    ...(added > 0 || removed > 0 ? [`${paint('green', `+${added}`)} ${paint('red', `-${removed}`)}`] : []),
    ...(isBinary === true ? ['binary'] : []),
    ...(kind === 'link' ? ['link'] : []),
    ...(kind === 'unkept' ? ['content not kept'] : []),
    ...(mode === undefined ? [] : [`mode ${mode[0]} → ${mode[1]}`]),
  ];
}

/** `2 files changed, 5 lines added, 1 removed`. */
export function changeSummary(changes: readonly ChangeView[]): string {
  const sum = (pick: (change: ChangeView) => number | undefined): number =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  const [added, removed] = [sum((change) => change.added), sum((change) => change.removed)];
  return `${counted(changes.length, 'file')} changed, ${counted(added, 'line')} added, ${removed} removed`;
}
