/** Puts a new text between the marks of a section; a document without the marks is left alone. */
export function withSection(document: string, name: string, body: string): string {
  const begin = `<!-- bench ${name} -->`;
  const end = `<!-- end ${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to === -1) return document;
  return `${document.slice(0, from + begin.length)}\n\n${body.trim()}\n\n${document.slice(to)}`;
}
