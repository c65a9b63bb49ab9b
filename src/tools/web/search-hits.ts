import { decodeEntities } from './html-text.ts';
import type { SearchEndpoint } from '../port.ts';

export interface Hit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** The hits of a search service, each field one bounded line; entries without a web address are left out. */
export function readHits(text: string, kind: SearchEndpoint['kind']): readonly Hit[] {
  const list = listIn(parsed(text), kind === 'searxng' ? [['results']] : LISTS);
  if (list === null)
    throw new Error('The search answered in a form that is not known (web.search in the configuration).');
  return list.flatMap((entry) => hitOf(entry));
}

/** Paths to the results of common services. */
const LISTS: readonly (readonly string[])[] = [
  [],
  ['results'],
  ['items'],
  ['organic'],
  ['organic_results'],
  ['web', 'results'],
  ['webPages', 'value'],
  ['data'],
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The search did not answer with JSON (web.search in the configuration).');
  }
}

function listIn(answer: unknown, paths: readonly (readonly string[])[]): readonly unknown[] | null {
  for (const path of paths) {
    let found = answer;
    for (const key of path) found = field(found, key);
    if (Array.isArray(found)) return found;
  }
  return null;
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function hitOf(entry: unknown): readonly Hit[] {
  const url = URL.parse(firstText(entry, ['url', 'link', 'href']));
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > 2000) return [];
  const title = oneLine(firstText(entry, ['title', 'name']), 200);
  const snippet = oneLine(firstText(entry, ['content', 'snippet', 'description', 'text']), 500);
  return [{ title: title === '' ? url.hostname : title, url: url.href, snippet }];
}

function firstText(entry: unknown, keys: readonly string[]): string {
  const values = keys.map((key) => field(entry, key));
  return values.find((value) => typeof value === 'string' && value !== '')?.toString() ?? '';
}

function oneLine(text: string, limit: number): string {
  const plain = decodeEntities(text.slice(0, 4 * limit).replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, ''));
  return plain
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, limit);
}
