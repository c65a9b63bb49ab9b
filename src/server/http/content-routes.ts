import { isUtf8 } from 'node:buffer';
import type { Context, Hono } from 'hono';
import { Fault } from '../../core/fault.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Backstage } from '../backstage.ts';
import { contentQuery, fileQuery } from './look-queries.ts';
import { queryOf, runOf } from './request-parts.ts';
import { CONTENT_POLICY } from './security-headers.ts';

/** What agents made, byte for byte. Whatever it is called or holds, a browser only ever shows it as text or as a picture. */
export function addContentRoutes(app: Hono, backstage: Backstage): void {
  app.get('/api/runs/:run/artifacts/:id', async (context) => {
    const { run } = await runOf(context, backstage);
    const { download } = queryOf(context, contentQuery);
    const found = await backstage.look(['artifacts', '--', run, context.req.param('id')]);
    return content(context, { ...artifactIn(found), isKept: download !== undefined });
  });
  app.get('/api/runs/:run/file', async (context) => {
    const { run } = await runOf(context, backstage);
    const { download, path, workspace, at } = queryOf(context, fileQuery);
    const bytes = await backstage.file(run, { workspace, path, ...(at === undefined ? {} : { at }) });
    if (bytes === null)
      throw new Fault('FILE_MISSING', `There is no file "${path}" in the workspace "${workspace}" then.`);
    return content(context, { path, bytes, isKept: download !== undefined });
  });
}

interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** It is to become a file of the user's. */
  readonly isKept: boolean;
}

function content(context: Context, { path, bytes, isKept }: Content): Response {
  const type = typeOf(bytes);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const how = isKept || type === BINARY ? 'attachment' : 'inline';
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': type,
    'Content-Disposition': `${how}; filename*=UTF-8''${encodedName(name)}`,
    'Content-Security-Policy': CONTENT_POLICY,
  });
}

const BINARY = 'application/octet-stream';

/** By how their bytes begin. A picture that is a document (SVG) is text here. */
const PICTURES: readonly (readonly [start: string, type: string])[] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
];

function typeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12));
  const picture = PICTURES.find(([mark]) => start.toString('hex').startsWith(mark));
  if (picture !== undefined) return picture[1];
  const isWebp = start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WEBP';
  if (isWebp) return 'image/webp';
  const isText = isUtf8(bytes) && !bytes.includes(0);
  return isText ? 'text/plain; charset=utf-8' : BINARY;
}

/** As RFC 5987 wants it: nothing but letters, digits and percent signs is left of any name. */
const encodedName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function artifactIn(found: Json): { readonly path: string; readonly bytes: Uint8Array } {
  const { path, content: text, content_base64: base64 } = isJsonObject(found) ? found : {};
  if (typeof path === 'string' && typeof text === 'string') return { path, bytes: Buffer.from(text, 'utf8') };
  if (typeof path === 'string' && typeof base64 === 'string') return { path, bytes: Buffer.from(base64, 'base64') };
  throw new Fault('INTERNAL', 'The artifact came without its content.');
}
