/**
 * A question as the full-text engine wants it: each word in quotes, any of them may occur, and what the agent quoted stays
 * together. Whatever else was written has no meaning, so no question can be wrong. Null when there is no word in it.
 */
export function matchText(query: string): string | null {
  const phrases = [...query.slice(0, MAX_QUERY).matchAll(/"([^"]*)"|([^"]+)/g)].flatMap(([, quoted, loose]) =>
    quoted === undefined ? wordsOf(loose ?? '') : [wordsOf(quoted).join(' ')],
  );
  const wanted = [...new Set(phrases.filter((phrase) => phrase !== ''))].slice(0, MAX_WORDS);
  return wanted.length === 0 ? null : wanted.map((phrase) => `"${phrase}"`).join(' OR ');
}

const MAX_QUERY = 1000;
const MAX_WORDS = 30;

function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
