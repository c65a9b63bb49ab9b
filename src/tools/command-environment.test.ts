import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandEnvironment, programFolder, programFolders } from './command-environment.ts';
import { testFolder } from './testing/test-folder.ts';

const lentBy = (path: string, hidden: readonly string[] = []): readonly string[] =>
  programFolders(commandEnvironment({ PATH: path }), hidden).map((folder) => folder.path);

test('[F64] an installation comes along with its programs, read only', () => {
  for (const beside of ['lib', 'libexec', 'share']) {
    const folder = testFolder({ 'bin/tool': '', [`${beside}/x`]: '' });
    expect(programFolders(commandEnvironment({ PATH: join(folder, 'bin') }), [])).toEqual([
      { path: folder, access: 'read' },
    ]);
    expect(programFolder(join(folder, 'bin/tool'), [])).toEqual([{ path: folder, access: 'read' }]);
  }
});

test('[F64] a link on the path brings the installation that it leads to, and nothing around it', () => {
  const place = testFolder({ 'tool/bin/tool': '', 'tool/lib/x': '', 'other/secret': '', 'links/README': '' });
  symlinkSync(join(place, 'tool/bin/tool'), join(place, 'links/tool'));
  expect(lentBy(join(place, 'links'))).toEqual([join(place, 'links'), join(place, 'tool')]);
});

test('[F64] the programs of node_modules/.bin come along with their packages', () => {
  const place = testFolder({ 'node_modules/.bin/README': '', 'node_modules/tool/cli.js': '', '.env': 'secret' });
  expect(lentBy(join(place, 'node_modules/.bin'), [place])).toEqual([join(place, 'node_modules')]);
});

test('[F64] a project with its own bin is not lent with it', () => {
  for (const sign of ['.git/HEAD', 'package.json']) {
    const project = testFolder({ 'bin/tool': '', 'lib/x': '', '.env': 'secret', [sign]: '' });
    expect(lentBy(join(project, 'bin'))).toEqual([join(project, 'bin')]);
    expect(programFolder(join(project, 'bin/tool'), [])).toEqual([{ path: join(project, 'bin/tool'), access: 'read' }]);
  }
  const plain = testFolder({ 'deep/in/a/folder/bin/tool': '', 'deep/in/a/folder/notes.txt': '' });
  expect(lentBy(join(plain, 'deep/in/a/folder/bin'))).toEqual([join(plain, 'deep/in/a/folder/bin')]);
});

test('[F64] what is beside ~/.local/bin belongs to all other programs and is not lent', () => {
  const home = testFolder({ '.local/bin/tool': '', '.local/share/keyrings/x': '' });
  expect(lentBy(join(home, '.local/bin'))).toEqual([join(home, '.local/bin')]);
});

test('[F64] what is hidden is never lent, nor what is around it, by whatever name', () => {
  const folder = testFolder({ 'bin/tool': '', 'lib/x': '', 'project/bin/tool': '', 'project/lib/x': '' });
  const [project, link] = [join(folder, 'project'), join(dirname(folder), 'link')];
  symlinkSync(folder, link);
  for (const name of [folder, link]) {
    expect(lentBy(join(name, 'bin'), [project])).toEqual([join(name, 'bin')]);
    expect(lentBy([name, join(name, 'project'), dirname(name)].join(':'), [project])).toEqual([]);
  }
  expect(lentBy(join(project, 'bin'), [project])).toEqual([join(project, 'bin')]);
  expect(lentBy([homedir(), dirname(homedir()), '/'].join(':'))).toEqual([]);
  mkdirSync(join(folder, 'own'));
  expect(lentBy(join(folder, 'own'), [project])).toEqual([join(folder, 'own')]);
});
