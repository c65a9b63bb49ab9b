import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runId } from '../core/model/ids.ts';
import type { Json } from '../core/model/json.ts';
import { git, testProject } from '../workspace/testing/test-project.ts';
import { METHODS, testWorkspaces } from '../workspace/testing/test-workspaces.ts';
import { allTools } from './all-tools.ts';
import { callTool } from './own/tool-box.ts';
import type { GitService, ToolContext } from './port.ts';
import { createShell } from './shell.ts';
import { testFolder } from './testing/test-folder.ts';
import { testSandbox, testToolBox } from './testing/test-sandbox.ts';

const works = METHODS.includes('overlay');
const sandbox = testSandbox();

describe.skipIf(!works)('tools in an overlay workspace', () => {
  test('[SM7] all of them work on the same files', async () => {
    const place = testProject({ 'src/a.ts': 'one\ntwo\n', 'README.md': '# Words\n\nAbout zebras.\n' });
    git(place.project, 'init', '-q');
    git(place.project, 'add', '-A');
    git(place.project, 'commit', '-qm', 'first');
    const { context } = await contextOf(place);
    const use = (name: string, input: Record<string, Json>): Promise<string> => used(name, input, context);
    expect(await use('read_file', { path: 'src/a.ts' })).toContain('two');
    await use('edit_file', { path: 'src/a.ts', old: 'two', new: 'three' });
    await use('write_file', { path: 'src/new/b.ts', content: 'four\n' });
    expect(await use('glob', { pattern: '**/*.ts' })).toBe('src/a.ts\nsrc/new/b.ts');
    expect(await use('grep', { pattern: 'three|four' })).toMatch(/src\/a\.ts[^]*src\/new\/b\.ts/);
    expect(await use('list_files', { path: 'src' })).toContain('new');
    expect(await use('search_knowledge', { query: 'zebras' })).toContain('README.md');
    expect(await use('execute_terminal', { command: 'cat src/a.ts src/new/b.ts; rm src/a.ts' })).toContain(
      'three\nfour',
    );
    expect(await use('git_status', {})).toMatch(/D src\/a\.ts\n\?\? src\/new\//);
    expect(await use('git_diff', {})).toContain('-two');
    expect(await use('git_log', {})).toContain('first');
  });

  test('[C1] a link that leads out is not followed', async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { context } = await contextOf(place);
    writeFileSync(join(place.home, '..', 'outside'), 'secret');
    symlinkSync(join(place.home, '..', 'outside'), join(context.folder, 'out'));
    symlinkSync('/proc/self/root', join(context.folder, 'top'));
    for (const path of ['out', 'top/etc/passwd', '../kept/main/overlay.json']) {
      const tool = allTools.find(({ spec }) => spec.name === 'read_file');
      expect(await tool?.run({ path }, context)).toMatchObject({ isError: true });
    }
  });

  test("[SM7] a project's own tool gets the path that it can use", async () => {
    const place = testProject({ 'a.txt': 'a' });
    const { context, path } = await contextOf(place);
    const file = join(
      testFolder({
        'tool.mjs': `import fs from 'node:fs';
        export const tool = { run: async (_, { folder }) => { fs.writeFileSync(folder + '/b.txt', 'b'); return folder; } };`,
      }),
      'tool.mjs',
    );
    const answer = await callTool({ file, access: 'write', box: testToolBox(sandbox) }, {}, context);
    expect(answer).toMatchObject({ content: path, isError: false });
    expect(await used('read_file', { path: 'b.txt' }, context)).toContain('b');
  });
});

async function used(name: string, input: Record<string, Json>, context: ToolContext): Promise<string> {
  const result = await allTools.find(({ spec }) => spec.name === name)?.run(input, context);
  expect(result).toMatchObject({ isError: false });
  return result?.content ?? '';
}

async function contextOf(place: { project: string; home: string }): Promise<{ context: ToolContext; path: string }> {
  const { workspaces, start } = testWorkspaces(place, { settings: { method: 'overlay' } });
  const workspace = await start();
  const shell = createShell({ sandbox, hidden: [place.home], environment: process.env });
  const borrowable = workspace.folders.filter(({ access }) => access === 'read').map((folder) => folder.path);
  const services: ToolContext['services'] = {
    shell: (command, { signal, network }) => shell(command, { place: workspace, access: 'write', signal, network }),
    git: { borrowable, run: gitInBox },
  };
  const { signal } = new AbortController();
  const context = { folder: workspace.folder, place: workspace, signal, services };
  return { context, path: workspaces.folderOf(runId('r1'), 'main') };
}

const gitInBox: NonNullable<GitService['run']> = async (argv, { readable, writable, ...options }) => {
  const folders = readable.map((path) => ({ path, access: 'read' as const }));
  const box = await sandbox();
  return await box.run(argv, {
    ...options,
    folders: [...folders, { path: writable, access: 'write' }],
    hidden: [],
    network: false,
  });
};
