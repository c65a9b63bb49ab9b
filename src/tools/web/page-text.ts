import { isBinary } from '../file-text.ts';
import type { Page } from './fetch-page.ts';
import { htmlText } from './html-text.ts';
import { WebRefused } from './web-refused.ts';

/** A page as text to read. What is not text is refused, whatever it calls itself. */
export function pageText(page: Page): string {
  const type = typeOf(page.headers['content-type'] ?? '');
  const encoding = page.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw notText(`it is packed (${encoding.slice(0, 40)}), which was not asked for`);
  if (!isTextual(type.name)) throw notText(`it is ${type.name.slice(0, 80)}`);
  if (isBinary(page.body)) throw notText('it calls itself text and is binary');
  const text = decoded(page.body, type.charset ?? charsetInside(page.body));
  return isHtml(type.name, text) ? htmlText(text, page.url) : text;
}

function typeOf(header: string): { readonly name: string; readonly charset: string | undefined } {
  const [name = ''] = header.split(';');
  return { name: name.trim().toLowerCase(), charset: /;\s*charset="?([\w.:-]{1,40})/i.exec(header)?.[1] };
}

/** A site that says nothing about the type is judged by what it sends. */
function isTextual(type: string): boolean {
  return type === '' || /^text\/|^application\/(?:json|xml|xhtml\+xml|javascript|yaml)$|\+(?:json|xml)$/.test(type);
}

function isHtml(type: string, text: string): boolean {
  if (type === 'text/html' || type === 'application/xhtml+xml') return true;
  return type === '' && /^\s*<(?:!doctype html|html)/i.test(text.slice(0, 200));
}

/** Pages may name their encoding in their first bytes. */
function charsetInside(body: Buffer): string | undefined {
  return /<meta[^>]{0,200}charset=["']?([\w.:-]{1,40})/i.exec(body.subarray(0, 1024).toString('latin1'))?.[1];
}

function decoded(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    return body.toString('utf8');
  }
}

function notText(because: string): WebRefused {
  return new WebRefused('NOT_TEXT', `The page is not shown: ${because}. Only text, HTML and JSON are.`);
}
