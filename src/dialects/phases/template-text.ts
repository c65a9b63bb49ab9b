/** A piece of a text with templates: words as they stand, or the expression inside `${…}`. */
export type TemplatePart =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly source: string; readonly offset: number };

export type TemplateParts =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/** Cuts a text at its `${…}`. Quotes, templates and braces inside an expression are minded; `\${` stands for itself. */
export function templateParts(text: string): TemplateParts {
  const parts: TemplatePart[] = [];
  let words = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith('\\${', at)) {
      words += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = endOfCode(text, at + 2);
      if (end === null) return { ok: false, message: 'A "${" has no "}".', offset: at };
      if (words !== '') parts.push({ kind: 'words', text: words });
      words = '';
      parts.push({ kind: 'code', source: text.slice(at + 2, end), offset: at + 2 });
      at = end + 1;
    } else {
      words += text[at];
      at += 1;
    }
  }
  if (words !== '' || parts.length === 0) parts.push({ kind: 'words', text: words });
  return { ok: true, parts };
}

const OPENING = '{[(';
const CLOSING = '}])';

/** Where the brace is that ends the expression which begins here; null where there is none. */
function endOfCode(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfQuote(text, at);
      if (end === null) return null;
      at = end;
    } else if (OPENING.includes(char)) depth += 1;
    else if (char === '}' && depth === 0) return at;
    else if (CLOSING.includes(char)) depth -= 1;
  }
  return null;
}

function endOfQuote(text: string, start: number): number | null {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return null;
}
