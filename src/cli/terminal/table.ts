/** Columns padded to their widest cell; the last one is cut to what the terminal has left. */
export function table(rows: readonly (readonly string[])[], width = 120): string {
  const widths = columnWidths(rows);
  return rows.map((row) => tableRow(row, widths, width)).join('\n');
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return widths;
}

function tableRow(row: readonly string[], widths: readonly number[], width: number): string {
  const line = row
    .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
    .join('  ')
    .trimEnd();
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
