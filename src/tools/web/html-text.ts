/**
 * HTML as text to read: headings, lists, links, tables and preformatted parts stay recognisable, scripts and styles go. One pass from
 * left to right, so that the time is in proportion to the length however the page is made; never a parser for trusting anything.
 */
export function htmlText(html: string, base: URL): string {
  const writer = new Writer(base);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    writer.text(decodeEntities(html.slice(at, open === -1 ? html.length : open)));
    if (open === -1) break;
    at = readMarkup(html, open, writer);
  }
  return writer.end();
}

/** From a `<` to where the text goes on. */
function readMarkup(html: string, open: number, writer: Writer): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  const second = html[open + 1] ?? '';
  if (second === '!' || second === '?') return after(html, '>', open);
  if (!/[a-z/]/i.test(second)) {
    writer.text('<');
    return open + 1;
  }
  const close = tagEnd(html, open);
  const tag = parseTag(html.slice(open + 1, Math.min(close, open + MAX_TAG)));
  if (tag.isEnd) writer.close(tag.name);
  else writer.open(tag.name, tag.attributes);
  return DROPPED.has(tag.name) && !tag.isEnd ? endOfElement(html, tag.name, close) : close + 1;
}

const MAX_TAG = 4000;

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

/** A `>` in quotes does not end a tag; a quote that is never closed ends with the tag after all. */
function tagEnd(html: string, open: number): number {
  const limit = Math.min(html.length, open + MAX_TAG);
  let quote = '';
  for (let at = open + 1; at < limit; at += 1) {
    const character = html.charAt(at);
    if (quote === '' && character === '>') return at;
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  const plain = html.indexOf('>', open);
  return plain === -1 ? html.length : plain;
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
}

function parseTag(text: string): Tag {
  const isEnd = text.startsWith('/');
  const name = /^\/?([a-z][a-z0-9-]{0,30})/i.exec(text)?.[1] ?? '';
  return { name: name.toLowerCase(), isEnd, attributes: text.slice(name.length + (isEnd ? 1 : 0)) };
}

/** Not for reading. */
const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'select', 'textarea']);

function endOfElement(html: string, name: string, from: number): number {
  const ending = new RegExp(`</${name}`, 'gi');
  ending.lastIndex = from;
  const found = ending.exec(html);
  return found === null ? html.length : after(html, '>', found.index);
}

const BLOCKS = new Set(
  'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li main nav ol p pre section summary table title tr ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);

/** Text before that of an element. */
const STARTS = new Map([
  ['li', '- '],
  ['br', '\n'],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `${'#'.repeat(level)} `] as const),
]);

function attribute(attributes: string, name: 'href' | 'alt'): string | null {
  const found = ATTRIBUTES[name].exec(attributes);
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? found[3] ?? '');
}

const ATTRIBUTES = {
  href: /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  alt: /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
};

class Writer {
  readonly #base: URL;
  readonly #parts: string[] = [];
  readonly #links: (string | null)[] = [];
  #pre = 0;
  /** Whether a blank may stand next. */
  #isBlank = true;

  constructor(base: URL) {
    this.#base = base;
  }

  text(text: string): void {
    if (text === '') return;
    if (this.#pre > 0) this.#push(text);
    else this.#flow(text.replaceAll(/\s+/g, ' '));
  }

  open(name: string, attributes: string): void {
    if (BLOCKS.has(name)) this.#line();
    if (name === 'pre') this.#pre += 1;
    if (name === 'td' || name === 'th') this.#flow(' | ');
    const start = STARTS.get(name);
    if (start !== undefined) this.#push(start);
    if (name === 'img') this.text(attribute(attributes, 'alt') ?? '');
    if (name === 'a') this.#openLink(attribute(attributes, 'href'));
  }

  close(name: string): void {
    if (name === 'a') this.#closeLink();
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1);
    if (BLOCKS.has(name)) this.#line();
  }

  end(): string {
    return this.#parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  #openLink(href: string | null): void {
    const url = href === null || href.startsWith('#') ? null : URL.parse(href, this.#base);
    const target = url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
    this.#links.push(target);
    if (target !== null) this.#push('[');
  }

  #closeLink(): void {
    const target = this.#links.pop() ?? null;
    if (target !== null) this.#push(`](${target})`);
  }

  #flow(text: string): void {
    const fitting = this.#isBlank ? text.trimStart() : text;
    if (fitting !== '') this.#push(fitting);
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#isBlank = /\s$/.test(text);
  }

  /** At most one empty line: `end` sees to that. */
  #line(): void {
    this.#push('\n');
  }
}

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

/** Control characters and halves of pairs are not text. */
function isPrintable(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xdfff);
}

const CHARACTERS = [
  'amp=& lt=< gt=> quot=" apos=\' copy=© reg=® trade=™ deg=° para=¶ sect=§ middot=· bull=• hellip=… ndash=–',
  'mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ laquo=« raquo=» times=× divide=÷ plusmn=± minus=−',
  'le=≤ ge=≥ ne=≠ larr=← rarr=→ uarr=↑ darr=↓ euro=€ pound=£ yen=¥ cent=¢ micro=µ frac12=½ auml=ä ouml=ö',
  'uuml=ü Auml=Ä Ouml=Ö Uuml=Ü szlig=ß eacute=é egrave=è ecirc=ê agrave=à aacute=á acirc=â ccedil=ç ntilde=ñ',
  'oacute=ó iacute=í uacute=ú',
].flatMap((line) => line.split(' '));

const NAMED = new Map<string, string>([
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name) => [name, ' '] as const),
  ['shy', ''],
  ...CHARACTERS.map((pair) => [pair.slice(0, -2), pair.slice(-1)] as const),
]);
