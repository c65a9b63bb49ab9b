import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import type { ToolContext, ToolResult } from '../../src/tools/port.ts';
import { createShell } from '../../src/tools/shell.ts';
import { testSandbox } from '../../src/tools/testing/test-sandbox.ts';
import { picture } from '../../src/workspace/changes/testing/store-world.ts';
import { git, testProject } from '../../src/workspace/testing/test-project.ts';
import { METHODS, testWorkspaces } from '../../src/workspace/testing/test-workspaces.ts';

const sandbox = testSandbox();

/** A project with links to a folder and a file outside of it, absolute and relative, in a workspace. */
async function scene(method: 'copy' | 'overlay') {
  const place = testProject({ 'a.txt': 'a', 'dir/b.txt': 'b' });
  const outside = join(place.project, '../outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'canary');
  const links = { file: join(outside, 'secret.txt'), folder: outside, 'dir/up': '../../outside', top: '/' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(place.project, name));
  git(place.project, 'init', '-q');
  git(place.project, 'add', '-A');
  git(place.project, 'commit', '-qm', 'first');
  const { start } = testWorkspaces(place, { settings: { method } });
  const workspace = await start();
  const shell = createShell({ sandbox, hidden: [place.home], environment: process.env });
  const { signal } = new AbortController();
  const services: ToolContext['services'] = {
    shell: (command, call) => shell(command, { place: workspace, access: 'write', signal, network: call.network }),
  };
  const context = { folder: workspace.folder, place: workspace, signal, services };
  const use = async (name: string, input: JsonObject): Promise<ToolResult> => {
    const tool = allTools.find(({ spec }) => spec.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return await tool.run(input, context);
  };
  return { place, outside, links, workspace, use };
}

test.for(METHODS)(
  '[C31] links of a project that lead out of it come along exactly, and nothing is read or written through them (%s)',
  async (method, context) => {
    if ((await sandbox()).level === 'none') context.skip('nothing keeps commands in here');
    const { place, outside, links, workspace, use } = await scene(method);
    const before = picture(outside);
    const tree = await workspace.record();
    for (const [name, target] of Object.entries(links)) expect(readlinkSync(join(workspace.folder, name))).toBe(target);
    const real = join(outside, 'secret.txt');
    for (const path of ['file', 'folder/secret.txt', 'dir/up/secret.txt', `top${real}`]) {
      expect({ path, ...(await use('read_file', { path })) }).toMatchObject({ path, isError: true });
      expect(await use('write_file', { path, content: 'mine' })).toMatchObject({ isError: true });
      expect(await use('edit_file', { path, old: 'canary', new: 'mine' })).toMatchObject({ isError: true });
    }
    for (const [name, input] of [
      ['grep', { pattern: 'canary' }],
      ['glob', { pattern: '**' }],
      ['list_files', { path: '.' }],
    ] as const) {
      expect((await use(name, input)).content).not.toMatch(/canary|secret\.txt/);
    }
    const done = await use('execute_terminal', {
      command:
        'for f in file folder/secret.txt folder/new dir/up/new top/usr/troupe-was-here; do echo mine > $f; done; rm -rf folder/ dir/up/*; true',
    });
    expect(done.content).toMatch(/cannot create top\/usr\/troupe-was-here/);
    await workspace.restore(tree);
    expect(picture(outside)).toEqual(before);
    expect(picture(place.project, { without: ['.git'] })).toEqual(picture(workspace.folder, { without: ['.git'] }));
  },
);
