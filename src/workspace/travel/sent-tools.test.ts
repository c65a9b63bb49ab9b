import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../testing/test-project.ts';
import { faultCode } from '../testing/test-workspaces.ts';
import { trustProject } from '../trust.ts';
import { openFolderStore } from './folder-store.ts';
import { getBlob, putBlob } from './packed-body.ts';
import { receiveTools, sendTools } from './sent-tools.ts';

const FILES = {
  '.troupe/tools/count.ts': 'export const tool = {};\n',
  '.troupe/tools/parts/run.sh': '#!/bin/sh\n',
  '.troupe/workflows/own.ts': 'export const workflow = {};\n',
};

async function bench() {
  const [here, project, there] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const shared = await openFolderStore(temporaryFolder());
  writeFiles(project, FILES);
  chmodSync(join(project, '.troupe/tools/parts/run.sh'), 0o755);
  const trust = { home: here, project };
  const send = () => sendTools(shared, trust);
  const receive = (tools: string) => receiveTools({ home: there, shared }, { root: 'run-1', tools });
  return { project, there, shared, trust, send, receive };
}

test('[U8] [L8] only trusted tools are sent, and they arrive with their modes and without workflows', async () => {
  const { project, trust, send, receive, shared } = await bench();
  expect(await send()).toBeUndefined();
  await trustProject(trust);
  const tools = (await send()) ?? '';
  expect((await getBlob(shared, tools)).toString()).not.toContain('workflows');
  const { folder, isUnchanged } = await receive(tools);
  expect(readFileSync(join(folder, 'count.ts'), 'utf8')).toBe(FILES['.troupe/tools/count.ts']);
  expect(statSync(join(folder, 'parts/run.sh')).mode & 0o777).toBe(0o755);
  expect(existsSync(join(folder, '../workflows'))).toBe(false);
  expect(await isUnchanged()).toBe(true);
  writeFileSync(join(project, '.troupe/tools/count.ts'), 'changed');
  expect(await send()).toBeUndefined();
});

test('[U8] [L8] what was changed, added or removed there is noticed, and received again', async () => {
  const { trust, send, receive } = await bench();
  await trustProject(trust);
  const tools = (await send()) ?? '';
  const changes = [
    (folder: string) => writeFileSync(join(folder, 'count.ts'), 'changed'),
    (folder: string) => writeFileSync(join(folder, 'more.ts'), ''),
    (folder: string) => rmSync(join(folder, 'parts'), { recursive: true }),
    (folder: string) => chmodSync(join(folder, 'count.ts'), 0o755),
  ];
  for (const change of changes) {
    const { folder, isUnchanged } = await receive(tools);
    expect(await isUnchanged()).toBe(true);
    change(folder);
    expect(await isUnchanged()).toBe(false);
  }
  expect(await (await receive(tools)).isUnchanged()).toBe(true);
});

test('[U8] [L8] a list that leads out of the folder of tools writes nothing', async () => {
  const { there, shared, receive } = await bench();
  const body = await putBlob(shared, Buffer.from('hostile'));
  const paths = [
    '../x',
    '/x',
    '.troupe/tools/../../../x',
    '.troupe/tools/./x',
    '.troupe/tools//x',
    '.troupe/config.yaml',
  ];
  for (const path of paths) {
    const files = [{ path, body, isExecutable: false }];
    const tools = await putBlob(shared, Buffer.from(JSON.stringify({ format: 1, files })));
    expect(await faultCode(receive(tools))).toBe('STORE_DAMAGED');
  }
  expect(existsSync(join(dirname(there), 'x'))).toBe(false);
  expect(existsSync(join(there, 'runs'))).toBe(false);
});
