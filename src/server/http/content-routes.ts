import { isUtf8 } from 'node:buffer';
import type { Context, Hono } from 'hono';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import type { Operations } from '../operations.ts';
import { QUERIES } from './api-table.ts';
import { queryOf, runOf } from './request-parts.ts';
import { CONTENT_POLICY } from './security-headers.ts';

/** The agents' files, byte for byte. A browser shows them only as text or as a picture, whatever their name or content. */
export function addContentRoutes(app: Hono, operations: Operations): void {
  app.get('/api/runs/:run/artifacts/:id', async (context) => {
    const { run } = await runOf(context, operations);
    const { download } = queryOf(context, QUERIES.content);
    const view = { kind: 'artifact', run, artifact: context.req.param('id') } as const;
    try {
      return content(context, { ...artifactIn(await operations.look(view)), isKept: download !== undefined });
    } catch (error) {
      const large = download === undefined ? null : largeIn(error, context.req.param('id'));
      if (large === null) throw error;
      return poured(context, large, operations.pour(view));
    }
  });
  app.get('/api/runs/:run/file', async (context) => {
    const { run } = await runOf(context, operations);
    const { download, path, ...when } = queryOf(context, QUERIES.file);
    const bytes = await operations.file(run, { path, ...when });
    if (bytes === null)
      throw new Fault('FILE_MISSING', `There is no file "${path}" in the workspace "${when.workspace}" then.`);
    return content(context, { path, bytes, isKept: download !== undefined });
  });
}

interface Large {
  readonly path: string;
  /** Null where the command was given elsewhere and only its words came back. */
  readonly bytes: number | null;
}

/** The artifact that was refused only for its size. */
function largeIn(error: unknown, id: string): Large | null {
  if (!isFault(error) || error.code !== 'ARTIFACT_LARGE') return null;
  const { path, bytes } = error.facts;
  const named = typeof path === 'string' ? path : id.replace(/@[^@/]*$/, '');
  return { path: named, bytes: typeof bytes === 'number' ? bytes : null };
}

/** Streams content that is too large for memory. A known length lets the client detect a cut. */
function poured(context: Context, { path, bytes }: Large, pieces: AsyncIterable<Uint8Array>): Response {
  return context.body(ReadableStream.from(pieces), 200, {
    'Content-Type': BINARY,
    ...(bytes === null ? {} : { 'Content-Length': String(bytes) }),
    'Content-Disposition': dispositionOf('attachment', path),
    'Content-Security-Policy': CONTENT_POLICY,
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
  const how = isKept || type === BINARY ? 'attachment' : 'inline';
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': type,
    'Content-Disposition': dispositionOf(how, path),
    'Content-Security-Policy': CONTENT_POLICY,
  });
}

const dispositionOf = (how: 'attachment' | 'inline', path: string): string =>
  `${how}; filename*=UTF-8''${encodedName(path.slice(path.lastIndexOf('/') + 1))}`;

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

function artifactIn({ path, content: text, content_base64: base64 }: Shown<'artifact'>): Omit<Content, 'isKept'> {
  return { path, bytes: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8') };
}
