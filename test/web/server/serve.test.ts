import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endingWorkflow, scriptedProject } from '../../cli/projects.ts';
import { createSandbox, jsonLines } from '../../cli/sandbox.ts';
import { hasTerminal, typed } from '../../cli/typed.ts';
import { serve, serveToRestart, servedAt } from './served.ts';

test('[U2] serve prints one address on this machine, with the token where no browser sends it', async () => {
  const sandbox = createSandbox();
  const running = sandbox.start(['serve', '--no-open']);
  const { value } = await running.lines.next();
  expect(value).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/);
  const page = servedAt(String(value), running);
  expect((await page.get('/api/about')).body).toMatchObject({ project: sandbox.project, home: sandbox.home });
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stdout, stderr]).toEqual([0, `${String(value)}\n`, '']);
});

test('[U2] a second page on the same port says so, and what to do', async () => {
  const sandbox = createSandbox();
  const { port } = await serve(sandbox);
  const second = await sandbox.troupe(['serve', '--json', '--no-open', '--port', String(port)]);
  expect(second.code).toBe(2);
  expect(jsonLines(second.stderr)[0]).toMatchObject({
    code: 'PORT_IN_USE',
    hint: expect.stringContaining('--port') as unknown,
  });
  for (const bad of ['65536', '-1', '1.5', 'x']) {
    expect((await sandbox.troupe(['serve', '--no-open', `--port=${bad}`])).stderr).toContain('USAGE');
  }
});

test('[U2] the token outlives the server, so that an open page goes on when it is started again', async () => {
  const sandbox = createSandbox();
  const first = await serveToRestart(sandbox);
  const cookie = (await first.post('/api/session')).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  first.running.child.kill('SIGTERM');
  await first.running.ended;
  const second = await serve(sandbox, ['--port', String(first.port)]);
  expect(second.url).toBe(first.url);
  expect((await second.ask('/api/about', { headers: { cookie } })).status).toBe(200);
  const file = join(sandbox.home, 'web-token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe(`${first.token}\n`);
});

test('[U2] a token file that was cut is replaced', async () => {
  const sandbox = createSandbox();
  const first = await serve(sandbox);
  first.running.child.kill('SIGTERM');
  await first.running.ended;
  writeFileSync(join(sandbox.home, 'web-token'), 'abc');
  const second = await serve(sandbox);
  expect(second.token).toHaveLength(43);
  expect(second.token).not.toBe(first.token);
});

test('[U2] who goes away in the middle of a stream is no event worth a word, and the page ends at once though streams are open', async () => {
  const page = await serve(createSandbox());
  const open = (signal: AbortSignal) =>
    fetch(`http://127.0.0.1:${page.port}/api/stream`, {
      method: 'POST',
      signal,
      headers: { authorization: `Bearer ${page.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ cards: true, after: {} }),
    });
  const leaving = new AbortController();
  expect((await open(leaving.signal)).headers.get('content-type')).toMatch(/^text\/event-stream/);
  leaving.abort();
  const staying = await open(new AbortController().signal);
  expect((await page.get('/api/about')).status).toBe(200);
  page.running.child.kill('SIGINT');
  const { code, stdout, stderr } = await page.running.ended;
  expect([code, jsonLines(stdout), stderr]).toEqual([0, [{ kind: 'page.opened', url: page.url }], '']);
  await expect(staying.text()).rejects.toThrow('terminated');
});

test('[U2] run --web serves the page with the run it drives, and ends with it without a terminal', async () => {
  const sandbox = scriptedProject();
  const { code, stdout } = await sandbox.troupe(['run', 'two_steps', 'Hello', '--web', '--json']);
  expect(code).toBe(0);
  const opened = jsonLines(stdout).find(({ kind }) => kind === 'page.opened');
  expect(opened?.['url']).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/runs/${String(opened?.['run'])}#t=`));
  const human = await sandbox.troupe(['run', 'two_steps', 'Hello', '--web']);
  expect(human.stderr).toMatch(/See it at: http:\/\/127\.0\.0\.1:\d+\/runs\//);
  expect(human.stdout).toBe('Done.\n');
});

test('[U2] --web and --detach do not go together, and say what does', async () => {
  const sandbox = scriptedProject();
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'Hello', '--web', '--detach']);
  expect(code).toBe(2);
  expect(stderr).toContain('troupe serve');
});

test.skipIf(!hasTerminal)('[U2] on a terminal the page stays when the run has come to rest, until Ctrl-C', async () => {
  const sandbox = scriptedProject({ 'ending.ts': endingWorkflow('ok') });
  const typing = {
    words: 'run ending.ts --web',
    columns: 200,
    when: 'The page stays open until Ctrl-C',
    keys: '\u0003',
  };
  const screen = await typed(sandbox, typing);
  expect(screen).toContain('came out');
  expect(screen.indexOf('came out')).toBeLessThan(screen.indexOf('The page stays open'));
  expect(screen).not.toContain('Interrupted');
});
