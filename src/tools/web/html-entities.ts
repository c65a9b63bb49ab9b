/** The named characters that running text has; others stay as they are written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#\d{1,20}|#x[0-9a-f]{1,20}|[a-z]{2,8}\d{0,2});?/gi, (whole) => {
    const name = whole.replaceAll(/^&|;$/g, '');
    return name.startsWith('#') ? numbered(name.slice(1)) : (NAMED.get(name) ?? NAMED.get(name.toLowerCase()) ?? whole);
  });
}

function numbered(digits: string): string {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
  return isPrintable(code) ? String.fromCodePoint(code) : '\uFFFD';
}

/** Control characters and halves of pairs are no text. */
function isPrintable(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xdfff);
}

const NAMED = new Map<string, string>([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['shy', ''],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['deg', '°'],
  ['para', '¶'],
  ['sect', '§'],
  ['middot', '·'],
  ['bull', '•'],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['sbquo', '‚'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['times', '×'],
  ['divide', '÷'],
  ['plusmn', '±'],
  ['minus', '−'],
  ['le', '≤'],
  ['ge', '≥'],
  ['ne', '≠'],
  ['larr', '←'],
  ['rarr', '→'],
  ['uarr', '↑'],
  ['darr', '↓'],
  ['euro', '€'],
  ['pound', '£'],
  ['yen', '¥'],
  ['cent', '¢'],
  ['micro', 'µ'],
  ['frac12', '½'],
  ['auml', 'ä'],
  ['ouml', 'ö'],
  ['uuml', 'ü'],
  ['Auml', 'Ä'],
  ['Ouml', 'Ö'],
  ['Uuml', 'Ü'],
  ['szlig', 'ß'],
  ['eacute', 'é'],
  ['egrave', 'è'],
  ['ecirc', 'ê'],
  ['agrave', 'à'],
  ['aacute', 'á'],
  ['acirc', 'â'],
  ['ccedil', 'ç'],
  ['ntilde', 'ñ'],
  ['oacute', 'ó'],
  ['iacute', 'í'],
  ['uacute', 'ú'],
]);
