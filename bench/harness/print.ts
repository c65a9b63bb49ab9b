import type { Cell, Goal, Table } from './part.ts';

/** A table in Markdown, as it also stands in docs/performance.md. */
export function tableText(table: Table): string {
  const rows = [table.columns, table.columns.map((_, index) => (index === 0 ? '---' : '---:')), ...table.rows];
  const lines = rows.map((row) => `| ${row.map(cellText).join(' | ')} |`);
  return `### ${table.title}\n\n${lines.join('\n')}\n`;
}

export function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (!Number.isFinite(cell)) return '–';
  if (Math.abs(cell) >= 1000) return Math.round(cell).toLocaleString('en-GB');
  return String(Number(cell.toPrecision(3)));
}

export function goalsTable(goals: readonly Goal[]): Table {
  return {
    title: 'Goals',
    columns: ['figure', 'goal: at most', 'found', 'met'],
    rows: goals.map((goal) => [
      goal.what,
      `${cellText(goal.atMost)} ${goal.unit}`.trim(),
      goal.found === null ? 'not measured' : `${cellText(goal.found)} ${goal.unit}`.trim(),
      goal.found === null ? '–' : goal.found <= goal.atMost ? 'yes' : 'NO',
    ]),
  };
}
