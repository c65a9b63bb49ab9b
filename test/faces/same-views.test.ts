import { expect, test, vi } from 'vitest';
import { openTroupe } from '../../src/app/troupe/open-troupe.ts';
import { API } from '../../src/server/http/api-table.ts';
import { errorBody } from '../../src/server/http/api-error.ts';
import { RunWatch } from '../../src/server/mcp/run-watch.ts';
import { steeringTools } from '../../src/server/mcp/steering-tools.ts';
import { gitProject, writingRun } from '../cli/file-projects.ts';
import type { Sandbox } from '../cli/sandbox.ts';
import { pageHere } from '../web/server/page-here.ts';
import { path } from '../web/server/served.ts';

vi.setConfig({ testTimeout: 60_000 });

const open = ({ project, home }: Sandbox) =>
  openTroupe({
    project,
    home,
    environment: { PATH: process.env['PATH'], HOME: home, TROUPE_HOME: home, TROUPE_SANDBOX: 'best' },
  });

/** Metrics say until when they were counted, which is now. */
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value: unknown) => (key === 'until' ? undefined : value));

/** The page has no lines of clients where there were none; a program is refused then. */
const OWN = new Set(['rawLogs']);

test('[R2] views, list and prune answer the same through command line, HTTP and the library', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const page = await pageHere(sandbox);
  await using troupe = await open(sandbox);
  const handle = await troupe.run(run);
  const compared: string[] = [];
  for (const { view, path: route } of API) {
    if (view === undefined || OWN.has(view)) continue;
    const byPage: unknown = await (await page.get(route.replace('{run}', encodeURIComponent(run)))).json();
    const byLibrary = await handle.look({ kind: view }).catch(errorBody);
    expect([view, plain(byLibrary)]).toEqual([view, plain(byPage)]);
    compared.push(view);
  }
  expect(compared).toHaveLength(9);
  const listed = await sandbox.troupe(['list', '--json']);
  const { items, next } = await troupe.list();
  expect(JSON.parse(listed.stdout)).toEqual(plain({ kind: 'runs', items, next }));
  const pruned = await sandbox.troupe(['prune', '--older-than', '0d', '--keep', '0', '--dry-run', '--json']);
  expect(JSON.parse(pruned.stdout)).toEqual({
    kind: 'prune',
    isDry: true,
    ...(await troupe.prune({ olderThanMs: 0, keep: 0, isDry: true })),
  });
  const unknown = (await (await page.get(path(run, '/changes?statt=1'))).json()) as object;
  expect(unknown).toMatchObject({ error: { code: 'REQUEST_INVALID', message: expect.stringContaining('statt') } });
});

test('[R2] an agent delivers, discards, archives and rolls back over MCP, and leaves the files of the project to a person', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const { operations } = await pageHere(sandbox);
  const watch = new RunWatch(operations);
  const calling = { caller: 'a client by MCP', signal: new AbortController().signal, progress: () => undefined };
  const call = async (name: string, given: object, allowsApprovals = false): Promise<object> => {
    const tool = steeringTools(operations, watch, { allowsApprovals }).find((one) => one.name === name);
    const answer = await tool?.call({ run, ...given }, calling).catch(errorBody);
    return answer ?? { error: { code: 'TOOL_UNKNOWN' } };
  };
  const named = { to: { kind: 'branch', name: 'taken' } };
  expect(await call('deliver_run', named)).toMatchObject({
    value: { result: 'waiting', resultText: 'in branch taken' },
  });
  expect(await call('discard_run', {})).toMatchObject({ value: { result: 'discarded' } });
  expect(await call('deliver_run', {})).toMatchObject({ error: { code: 'RESULT_DISCARDED' } });
  expect(await call('discard_run', { isUndone: true })).toMatchObject({ value: { result: 'waiting' } });
  expect(await call('archive_run', {})).toMatchObject({ value: { run } });
  expect(await call('archive_run', {})).toMatchObject({ error: { code: 'RUN_ARCHIVED' } });
  expect(await call('archive_run', { isUndone: true })).toMatchObject({ value: { run } });
  expect(await call('deliver_run', { to: { kind: 'apply' } })).toMatchObject({ value: { result: 'delivered' } });
  const back = { to: 'start' };
  expect(await call('rollback_run', { ...back, isPreview: true })).toMatchObject({
    error: { code: 'REQUEST_INVALID' },
  });
  expect(await call('rollback_run', back)).toMatchObject({
    error: { code: 'APPROVAL_BY_PERSON', hint: expect.stringContaining(`troupe rollback ${run} --to start`) },
  });
  expect(await call('rollback_run', back, true)).toMatchObject({ value: { status: expect.any(String) } });
});
