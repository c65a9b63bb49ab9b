import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import { runningWith, testFolder } from '../testing/test-folder.ts';
import { testSandbox, testToolBox } from '../testing/test-sandbox.ts';
import { describeTools } from './tool-box.ts';

const box = testToolBox(testSandbox());

const plain = `export const tool = { name: 'plain', run: () => '' };`;

function described(files: Readonly<Record<string, string>>, timeoutMs = 20_000) {
  const folder = testFolder(files);
  return describeTools({ folder, files: Object.keys(files).map((name) => join(folder, name)), box, timeoutMs });
}

test('[SM7] each file tells what it exports, in the order of the files', async () => {
  expect(await described({ 'b.mjs': plain, 'a.mjs': 'export const tool = 5;', 'c.mjs': '' })).toEqual([
    { description: { name: 'plain', run: 'function' } },
    { description: null },
    { description: null },
  ]);
});

test('[L3] a file that never ends stops the rest, and its own place in the list says so', async () => {
  const found = await described({ 'a.mjs': plain, 'b.mjs': 'for (;;) {}', 'c.mjs': plain }, 3000);
  expect(found.at(-1)).toEqual({ problem: 'it could not be loaded within 3 s' });
  expect(found.length).toBeLessThan(3);
});

test('[L8] while it is loaded, a file can neither write, nor reach the network, nor leave anything running', async () => {
  const seconds = `86402.${process.pid}`;
  const source = `import fs from 'node:fs'; import net from 'node:net'; import { spawn } from 'node:child_process';
    spawn('setsid', ['sleep', '${seconds}'], { detached: true, stdio: 'ignore' }).unref();
    const tried = (action) => { try { action(); return 'done' } catch (error) { return error.code } };
    const name = [tried(() => fs.writeFileSync(import.meta.dirname + '/new', '')), tried(() => fs.writeFileSync(import.meta.filename, ''))].join();
    const description = await new Promise((resolve) => net.connect(53, '192.0.2.1').on('error', (error) => resolve(error.code)));
    export const tool = { name, description };`;
  expect(await described({ 'a.mjs': source })).toEqual([
    { description: { name: 'EROFS,EROFS', description: 'ENETUNREACH', run: 'undefined' } },
  ]);
  expect(runningWith(`sleep\0${seconds}`)).toEqual([]);
});

test('[L3] a box that cannot be built is a fault, and no file is blamed', async () => {
  const fault: unknown = await describeTools({
    folder: '/nowhere/at/all',
    files: ['/nowhere/at/all/a.mjs'],
    box,
  }).catch((error: unknown) => error);
  expect(isFault(fault) && fault.code).toBe('TOOLS_NOT_LOADED');
});
