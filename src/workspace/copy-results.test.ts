import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyResults } from './copy-results.ts';
import { prepareRunFolder } from './run-folder.ts';
import { testProject, writeFiles } from './test-project.ts';

async function changedRun() {
  const { project, home } = testProject({ same: 's', edited: 'e', gone: 'g' });
  const folder = await prepareRunFolder({ home, run: 'r1', project });
  writeFiles(folder, { edited: 'E', 'new/deep.sh': '#!/bin/sh\n' });
  chmodSync(join(folder, 'new/deep.sh'), 0o755);
  rmSync(join(folder, 'gone'));
  return { project, home, folder, to: join(home, '..', 'out') };
}

test('[L4] what was added and modified is copied, modes and all', async () => {
  const { home, to } = await changedRun();
  expect(await copyResults({ home, run: 'r1', to })).toEqual({
    written: ['edited', 'new/deep.sh'],
    same: [],
    refused: [],
    deleted: ['gone'],
  });
  expect(readdirSync(to).sort()).toEqual(['edited', 'new']);
  expect(readdirSync(join(to, 'new'))).toEqual(['deep.sh']);
  expect(statSync(join(to, 'new/deep.sh')).mode & 0o777).toBe(0o755);
  expect((await copyResults({ home, run: 'r1', to })).same).toEqual(['edited', 'new/deep.sh']);
});

test('[L3] a file that differs is not overwritten unless told so', async () => {
  const { home, to } = await changedRun();
  writeFiles(to, { edited: "the user's own" });
  const careful = await copyResults({ home, run: 'r1', to });
  expect(careful.written).toEqual(['new/deep.sh']);
  expect(careful.refused).toEqual([{ path: 'edited', why: 'edited is there already with other content.' }]);
  expect(readFileSync(join(to, 'edited'), 'utf8')).toBe("the user's own");
  const told = await copyResults({ home, run: 'r1', to, overwrite: true });
  expect(told).toMatchObject({ written: ['edited'], refused: [] });
  expect(readFileSync(join(to, 'edited'), 'utf8')).toBe('E');
});

test('[SM11] results never go through a link, and links that lead out are not brought', async () => {
  const { home, folder, to } = await changedRun();
  const outside = join(home, '..', 'outside');
  mkdirSync(outside);
  mkdirSync(to);
  symlinkSync(outside, join(to, 'new'));
  symlinkSync('/etc/passwd', join(folder, 'passwd'));
  symlinkSync('edited', join(folder, 'fine'));
  const results = await copyResults({ home, run: 'r1', to, overwrite: true });
  expect(results.written).toEqual(['edited', 'fine']);
  expect(results.refused.map(({ path }) => path)).toEqual(['new/deep.sh', 'passwd']);
  expect(readdirSync(outside)).toEqual([]);
});

test('[L8] what steers programs is not carried out of a run', async () => {
  const { home, folder, to } = await changedRun();
  writeFiles(folder, { '.git/hooks/post-checkout': 'x', 'sub/.git/config': 'x', '.troupe/tools/evil.ts': 'x' });
  const results = await copyResults({ home, run: 'r1', to });
  expect(results.written).toEqual(['edited', 'new/deep.sh']);
  expect(existsSync(join(to, '.git'))).toBe(false);
});

test('[L3] a folder in the way is refused, the rest is brought', async () => {
  const { home, to } = await changedRun();
  writeFiles(to, { 'edited/inside': '' });
  writeFileSync(join(to, 'other'), '');
  const results = await copyResults({ home, run: 'r1', to, overwrite: true });
  expect(results).toMatchObject({ written: ['new/deep.sh'], refused: [{ path: 'edited' }] });
});
