import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { report, settings } from '../harness/report.ts';

/** Serves an empty page of React, and to whoever listens the time, so many milliseconds apart. Tells where. */
const { paceMs } = settings() as { paceMs: number };

const { output } = await build({
  input: fileURLToPath(new URL('../page/empty-page.mjs', import.meta.url)),
  platform: 'browser',
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  output: { format: 'esm', minify: true },
  write: false,
});
const [{ code }] = output;
const html = '<!doctype html><title>Empty</title><script type="module" src="/page.js"></script><div id="root"></div>';

const server = createServer((request, response) => {
  const path = request.url?.replace(/\?.*/, '');
  if (path === '/page.js') return response.setHeader('content-type', 'text/javascript').end(code);
  if (path !== '/events') return response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  response.setHeader('content-type', 'text/event-stream');
  const timer = setInterval(() => response.write(`data: ${Date.now()}\n\n`), paceMs);
  return response.on('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
