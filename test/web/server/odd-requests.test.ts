import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { ASKING, scriptedProject } from '../../cli/projects.ts';
import { createSandbox } from '../../cli/sandbox.ts';
import { path, serve, servedAt, type Served } from './served.ts';

/** Says exactly this, and hears all until the server hangs up. */
async function say({ port, token }: Served, request: string, headers: readonly string[] = []): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString('utf8')));
  socket.on('error', reject);
  socket.on('close', () => resolve());
  const own = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, 'Connection: close'];
  const [line = '', ...body] = request.split('\n');
  socket.write([line, ...own, ...headers, '', body.join('\n')].join('\r\n'));
  await promise;
  return text;
}

const statusIn = (text: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);

test('[U2] a request without a body need not say how long it is, whatever its method', async () => {
  const page = await serve(createSandbox());
  expect(statusIn(await say(page, 'POST /api/session HTTP/1.1'))).toBe(200);
  expect(await say(page, 'POST /api/runs/none/cancel HTTP/1.1')).toMatch(/^HTTP\/1\.1 404 [\s\S]*RUN_UNKNOWN/);
  for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])
    expect([method, statusIn(await say(page, `${method} /api/about HTTP/1.1`))]).toEqual([method, 404]);
});

test('[U2] a body may come in pieces without its length', async () => {
  const page = await serve(createSandbox());
  const pieces = ['{"text":"work', 'flow_name: name"}'];
  const body = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
  const text = await say(page, `POST /api/check HTTP/1.1\n${body}0\r\n\r\n`, [
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]);
  expect([statusIn(text), text.includes('"ok":false')]).toEqual([200, true]);
});

test('[U2] a text with NUL in it is refused and harms nothing; a long one is taken whole', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING.replace("choices: ['red', 'blue']", 'choices: []') });
  const page = await serve(sandbox);
  const { body } = await page.post('/api/runs', { workflow: 'asking.ts' });
  const run = String(body['run']);
  await sandbox.troupe(['watch', run]);
  const sent = [
    ['/api/runs', { workflow: 'two_steps', input: { task: 'a\0b' } }, 400, 'TEXT_INVALID'],
    [path(run, '/tell'), { agent: 'worker', text: '\0' }, 400, 'TEXT_INVALID'],
  ] as const;
  for (const [where, what, status, code] of sent) {
    const answer = await page.post(where, what);
    expect([where, answer.status, answer.body.error?.code]).toEqual([where, status, code]);
  }
  const long = await page.post(path(run, '/answer'), { question: 'q1', text: 'ä'.repeat(300_000) });
  expect([long.status, long.body.error]).toEqual([200, undefined]);
  await sandbox.troupe(['watch', run]);
  expect((await page.get(path(run))).body['data']).toEqual({ colour: 'ä'.repeat(300_000) });
});

test('[U2] a page gives the options of a run that are for it: none that opens the sandbox, reads or writes elsewhere', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const out = join(sandbox.home, '..', 'out');
  const odd = [
    [{ sandbox: 'none' }, 'sandbox'],
    [{ setup: false }, 'setup'],
    [{ inputFile: '/etc/passwd' }, 'inputFile'],
    [{ deliver: { copyTo: out } }, 'copyTo'],
    [{ options: ['--sandbox', 'none'] }, 'options'],
  ] as const;
  for (const [wish, named] of odd) {
    const { status, body } = await page.post('/api/runs', { workflow: 'two_steps', input: { task: 'x' }, ...wish });
    expect([named, status, body.error?.code]).toEqual([named, 400, 'REQUEST_INVALID']);
    expect(body.error?.message).toContain(`"${named}"`);
  }
  expect((await page.get('/api/runs')).body['cards']).toEqual([]);
  const limits = { usd: 2, tokens: 100_000 };
  const started = await page.post('/api/runs', { workflow: 'two_steps', input: { task: 'x' }, limits });
  expect([started.status, started.body.error]).toEqual([200, undefined]);
  await sandbox.troupe(['watch', String(started.body['run'])]);
  expect(existsSync(out)).toBe(false);
});

test('[U2] a value that is called like an option of the server is a value', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const { body } = await page.post('/api/runs', { workflow: 'two_steps', input: { task: 'x' } });
  const run = String(body['run']);
  await sandbox.troupe(['watch', run]);
  for (const title of ['--detach', '--web']) {
    const forked = await page.post(path(run, '/fork'), { at: 'again', title });
    expect([title, forked.status, forked.body.error]).toEqual([title, 200, undefined]);
    expect((await page.get(path(String(forked.body['run'])))).body).toMatchObject({ title });
  }
});

test('[U9] a file that is no workflow of the project is not shown, under whichever name it is requested', async () => {
  const page = await serve(createSandbox({ key: 's3cret' }));
  for (const name of ['/etc/passwd', './key', '../project/key', 'key#x']) {
    const checked = await page.post('/api/check', { file: name });
    const shown = await page.get(`/api/workflows/${encodeURIComponent(name)}`);
    for (const { status, text } of [checked, shown])
      expect([name, status, /root:|s3cret/.test(text)]).toEqual([name, 404, false]);
  }
});

test('[U2] a browser is started with a ticket that is good once, since all can read what programs are started with', async () => {
  const sandbox = createSandbox();
  const bin = join(sandbox.home, 'bin');
  mkdirSync(bin, { recursive: true });
  const note = join(sandbox.home, 'opened');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > "${note}.part" && mv "${note}.part" "${note}"\n`);
    chmodSync(join(bin, name), 0o700);
  }
  const environment = { PATH: [bin, process.env['PATH']].join(delimiter), DISPLAY: ':0', CI: '', SSH_CONNECTION: '' };
  const running = sandbox.start(['serve', '--json'], { environment });
  const first = await running.lines.next();
  const page = servedAt((JSON.parse(String(first.value)) as { url: string }).url, running);
  await expect.poll(() => existsSync(note)).toBe(true);
  const opened = readFileSync(note, 'utf8');
  expect(opened.startsWith(`http://127.0.0.1:${page.port}/#t=`)).toBe(true);
  expect(opened).not.toContain(page.token);
  const headers = { authorization: `Bearer ${opened.split('#t=')[1]}` };
  expect((await page.ask('/api/about', { headers })).status).toBe(401);
  const session = await page.ask('/api/session', { method: 'POST', headers });
  const cookie = session.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  expect((await page.ask('/api/about', { headers: { cookie } })).status).toBe(200);
  expect((await page.ask('/api/session', { method: 'POST', headers })).status).toBe(401);
});
