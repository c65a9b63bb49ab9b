import { expect, test } from 'vitest';
import { scriptedProject } from '../../cli/projects.ts';
import { createSandbox } from '../../cli/sandbox.ts';
import { fakeBrowser } from './fake-browser.ts';
import { servedAt } from './served.ts';

const eventually = { timeout: 30_000, interval: 50 };

test('[U2] [W3] serve starts the browser with a ticket in the place of the token; with --no-open it starts none', async () => {
  const sandbox = createSandbox();
  const browser = fakeBrowser(sandbox);
  const quiet = sandbox.start(['serve', '--no-open'], { environment: browser.environment });
  const printed = String((await quiet.lines.next()).value);
  expect((await servedAt(printed, quiet).get('/api/about')).status).toBe(200);
  quiet.child.kill('SIGINT');
  expect((await quiet.ended).code).toBe(0);

  const running = sandbox.start(['serve'], { environment: browser.environment });
  const served = servedAt(String((await running.lines.next()).value), running);
  await expect.poll(() => browser.opened().length, eventually).toBeGreaterThan(0);
  // One start was with a browser, and one browser was started.
  expect(browser.opened()).toHaveLength(1);
  const opened = new URL(browser.opened()[0] ?? '');
  expect(opened.href).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${served.port}/#t=[\\w-]{43}$`));
  const ticket = opened.hash.slice('#t='.length);
  expect(ticket).not.toBe(served.token);
  const withTicket = { method: 'POST', headers: { authorization: `Bearer ${ticket}` } };
  expect((await served.ask('/api/session', withTicket)).status).toBe(200);
  expect((await served.ask('/api/session', withTicket)).status).toBe(401);
});

test('[U2] run --web opens the page of its run', async () => {
  const sandbox = scriptedProject();
  const browser = fakeBrowser(sandbox);
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', 'Hello', '--web'], {
    environment: browser.environment,
  });
  expect(code).toBe(0);
  const [, page = ''] = /See it at: (\S+)#t=/.exec(stderr) ?? [];
  await expect.poll(() => browser.opened().length, eventually).toBe(1);
  expect(browser.opened()[0]).toMatch(new RegExp(`^${page}#t=[\\w-]{43}$`));
});

test('[U2] where nothing can be opened the page is still there', async () => {
  const sandbox = createSandbox();
  const running = sandbox.start(['serve'], { environment: { DISPLAY: ':99', PATH: sandbox.home } });
  const served = servedAt(String((await running.lines.next()).value), running);
  expect((await served.get('/api/about')).status).toBe(200);
});
