/** Puts a new text between the marks of a section; a document without the marks is left alone. */
export function withSection(document: string, name: string, body: string): string {
  const begin = `<!-- bench ${name} -->`;
  const end = `<!-- end ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to === -1) return document;
  return `${document.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${document.slice(to)}`;
}

/** The same for a table of which only some rows were measured: rows with another first cell stay. */
export function withRows(document: string, name: string, table: string): string {
  const section = document.split(`<!-- bench ${name} -->`)[1]?.split(`<!-- end ${name} -->`)[0] ?? '';
  const fresh = new Map(rowsOf(table).map((row) => [firstCell(row), row]));
  const kept = rowsOf(section).map((row) => fresh.get(firstCell(row)) ?? row);
  const added = [...fresh.values()].filter((row) => !kept.includes(row));
  const head = table.slice(0, table.indexOf(rowsOf(table)[0] ?? ''));
  return withSection(document, name, `${head}${[...kept, ...added].join('\n')}\n`);
}

/** Without the two lines of the head. */
const rowsOf = (table: string): readonly string[] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);

const firstCell = (row: string): string => row.split('|')[1]?.trim() ?? '';
