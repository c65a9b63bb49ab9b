import { Marked } from 'marked';
import { CalmLexer } from './calm-lexer.ts';
import { visibleText } from './visible-text.ts';

/**
 * Markdown as HTML that may still be hostile: what it becomes is cleaned once more before it is shown (`clean-html.ts`).
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
