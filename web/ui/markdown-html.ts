import { Lexer, Marked, type Token, type TokensList } from 'marked';
import { visibleText } from './text.tsx';

/**
 * Hostile Markdown takes minutes, or all of the stack: marks that never end, deeply nested quotes. Such text is shown as it
 * is. Ordinary text stays far below the limits.
 */
class CalmLexer extends Lexer {
  #depth = 0;

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped = false): Token[] {
    if (this.#depth >= DEEPEST) {
      tokens.push({ type: 'text', raw: src, text: src, tokens: plain(src) });
      return tokens;
    }
    this.#depth += 1;
    const found = super.blockTokens(src, tokens, isClipped);
    this.#depth -= 1;
    return found;
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (isCheap(src)) return super.inlineTokens(src, tokens);
    tokens.push(...plain(src));
    return tokens;
  }
}

const DEEPEST = 24;
const SHORT = 1000;
/** For every mark the rest of the text is searched for its other end. */
const MOST_WORK = 3_000_000;
/** From every character on a word is tried as an address. */
const LONGEST_WORD = 4000;

function isCheap(text: string): boolean {
  if (text.length <= SHORT) return true;
  const marks = text.match(/[*_~`[\]<&!\\]/g)?.length ?? 0;
  const isLong = (piece: string): boolean => piece.length > LONGEST_WORD;
  return marks * text.length <= MOST_WORK && !text.split(/\s+/).some(isLong) && !text.split(/\S+/).some(isLong);
}

/** Its lines, one below the other. */
const plain = (text: string): Token[] =>
  text
    .split('\n')
    .flatMap((line, place): Token[] => [
      ...(place === 0 ? [] : [{ type: 'br', raw: '\n' }]),
      { type: 'text', raw: line, text: line, escaped: false },
    ]);

/**
 * Markdown as HTML that may still be hostile: what it becomes is cleaned once more before it is shown (`clean-markdown.ts`).
 * Raw HTML is shown as the text it is, and an image as its words: nothing is loaded from anywhere.
 */
export const markdownHtml = (text: string): string =>
  MARKED.parser(new CalmLexer(MARKED.defaults).lex(visibleText(text)));

const MARKED = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) =>
      `<em>[image${text === '' ? '' : `: ${escaped(text)}`}]</em> <code>${escaped(href)}</code>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
