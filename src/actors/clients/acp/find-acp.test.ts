import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findAcp, foldersAround, probeAcp } from './probe-acp.ts';
import { plainAgent } from './acp-agent.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'find-acp-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const [bin, modules] = [join(root, 'bin'), join(root, 'lib/node_modules')];
mkdirSync(join(modules, 'agent/dist'), { recursive: true });
mkdirSync(bin);
writeFileSync(join(modules, 'agent/dist/main.js'), '');
symlinkSync(join(modules, 'agent/dist/main.js'), join(bin, 'agent'));

test('a program on the path is found without its links, and its words stay', () => {
  const environment = { PATH: `relative:${bin}`, HOME: root };
  expect(findAcp({ command: ['agent', '--acp'] }, environment)).toEqual([join(modules, 'agent/dist/main.js'), '--acp']);
  expect(findAcp({ command: [join(bin, 'agent')] }, {})).toEqual([join(modules, 'agent/dist/main.js')]);
  expect(findAcp({ command: ['nobody'] }, environment)).toBeNull();
  expect(findAcp({ command: [join(bin, 'nobody')] }, environment)).toBeNull();
});

test('the packages around a script go along, and the folder of one by itself, but never what is hidden', () => {
  writeFileSync(join(bin, 'own.js'), '');
  expect(foldersAround([join(modules, 'agent/dist/main.js')], [])).toEqual([modules]);
  expect(foldersAround(['/usr/bin/node', '--flag', join(bin, 'own.js')], [])).toEqual([bin]);
  expect(foldersAround(['/usr/bin/node', join(bin, 'own.js')], [bin])).toEqual([]);
});

test('the doctor sees a missing agent and a barely known one', async () => {
  const missing = await probeAcp(plainAgent({ name: 'nobody', command: ['nobody'] }), { PATH: bin, HOME: root });
  expect(missing).toMatchObject({ kind: 'acp:nobody', isFound: false, problem: expect.stringContaining('`nobody`') });
  const agent = plainAgent({ name: 'agent', command: ['agent'], variables: ['AGENT_KEY'] });
  const found = await probeAcp(agent, { PATH: bin, HOME: root });
  expect(found).toMatchObject({ isFound: true, path: join(modules, 'agent/dist/main.js'), isLoggedIn: null });
  expect(found.problem).toBeUndefined();
  expect(await probeAcp(agent, { PATH: bin, AGENT_KEY: 'k' })).toMatchObject({ isLoggedIn: true, login: 'AGENT_KEY' });
});
