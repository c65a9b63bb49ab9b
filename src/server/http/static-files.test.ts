import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addStaticFiles } from './static-files.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-page-'));
  mkdirSync(join(folder, 'web/assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'web/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'web/assets/page-1a2b.js'), 'export {}');
  writeFileSync(join(folder, 'web/assets/odd.bin'), Buffer.from([0, 255]));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const page = (): Hono => {
  const app = new Hono();
  addStaticFiles(app, join(folder, 'web'));
  return app;
};

test('[U2] files with their hash in their name are kept for ever, the page itself is asked for each time', async () => {
  const script = await page().request('/assets/page-1a2b.js');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const index = await page().request('/');
  expect(index.headers.get('cache-control')).toBe('no-cache');
  expect(await index.text()).toBe('<!doctype html>');
  expect((await page().request('/assets/odd.bin')).headers.get('content-type')).toBe('application/octet-stream');
});

test('[U2] a place inside the page is the page; a file of it that is gone is not', async () => {
  expect(await (await page().request('/runs/7k2m?tab=graph')).text()).toBe('<!doctype html>');
  expect((await page().request('/assets/page-old.js')).status).toBe(404);
});

test('[U2] nothing outside the folder is given out', async () => {
  symlinkSync(folder, join(folder, 'web/out'));
  for (const path of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/out/secret.txt',
  ]) {
    expect([path, await (await page().request(path)).text()]).not.toEqual([path, 'secret']);
  }
});

test('[U2] a page that was not built says so', async () => {
  rmSync(join(folder, 'web'), { recursive: true });
  const answer = await page().request('/');
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
});

test('[U2] a file that the build has compressed is sent so to clients that accept it, and the copy has no address of its own', async () => {
  writeFileSync(join(folder, 'web/assets/page-1a2b.js.br'), brotliCompressSync('export {}'));
  writeFileSync(join(folder, 'web/assets/page-1a2b.js.gz'), gzipSync('export {}'));
  const ask = async (path: string, encoding: string) =>
    await page().request(path, { headers: { 'accept-encoding': encoding } });
  const packed = await ask('/assets/page-1a2b.js', 'gzip, deflate, br');
  expect(packed.headers.get('content-encoding')).toBe('br');
  expect(packed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(packed.headers.get('vary')).toBe('Accept-Encoding');
  expect(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe('export {}');
  const zipped = await ask('/assets/page-1a2b.js', 'gzip, deflate');
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe('export {}');
  const plain = await ask('/assets/page-1a2b.js', 'identity');
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'export {}']);
  expect((await ask('/assets/page-1a2b.js.br', 'br')).status).toBe(404);
});
