import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Hono } from 'hono';
import { chooseEncoding, type Encoding } from './choose-encoding.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

/** Their names hold the hash of what they hold. */
const HASHED = '/assets/';

/** The page, from the folder it was built into. What is not a file of it is a place inside the page, which the page itself knows. */
export function addStaticFiles(app: Hono, folder: string): void {
  // A list of what there is: a path that leads elsewhere is simply not in it.
  const all = new Set(existsSync(folder) ? filesIn(folder) : []);
  const files = new Map(
    [...all]
      .filter((path) => !isCompressed(all, path))
      .map((path) => [path, COPIES.filter(([, ending]) => all.has(path + ending)).map(([name]) => name)]),
  );
  app.get('*', async (context) => {
    const { path } = context.req;
    if (!files.has('/index.html')) return notBuilt(context);
    if (!files.has(path) && path.startsWith(HASHED)) return context.notFound();
    const file = files.has(path) ? path : '/index.html';
    return await send(context, folder, { path: file, copies: files.get(file) ?? [] });
  });
}

/** Links are followed nowhere. */
function filesIn(folder: string, at = ''): readonly string[] {
  return readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const path = `${at}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(folder, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The build puts compressed copies beside each file of text. */
const COPIES: readonly (readonly [Encoding, ending: string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

const isCompressed = (all: ReadonlySet<string>, path: string): boolean =>
  COPIES.some(([, ending]) => path.endsWith(ending) && all.has(path.slice(0, -ending.length)));

interface StaticFile {
  readonly path: string;
  readonly copies: readonly Encoding[];
}

async function send(context: Context, folder: string, { path, copies }: StaticFile): Promise<Response> {
  const encoding = chooseEncoding(context.req.header('accept-encoding'), copies);
  const copy = COPIES.find(([name]) => name === encoding)?.[1] ?? '';
  const bytes = await readFile(join(folder, path + copy));
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': TYPES[ending] ?? 'application/octet-stream',
    'Cache-Control': path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(copies.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
    ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
  });
}

const notBuilt = (context: Context): Response =>
  context.text(
    'The page is not built. Developers of Troupe build it with: npm run build\nThe API is there: /api/openapi.json\n',
    503,
  );
