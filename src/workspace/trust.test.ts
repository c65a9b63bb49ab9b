import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFault } from '../core/model/fault.ts';
import { testProject, writeFiles } from './testing/test-project.ts';
import { trustProject, trustState, untrustProject } from './trust.ts';
import type { Power } from './trust.ts';

const code = {
  '.troupe/tools/a.ts': 'a',
  '.troupe/tools/lib/b.json': 'b',
  '.troupe/workflows/w.ts': 'w',
  '.troupe/workflows/d.json': 'd',
};
const files = ['.troupe/tools/a.ts', '.troupe/tools/lib/b.json', '.troupe/workflows/w.ts'];

test('[L8] a project is untrusted until the user says otherwise, and can be untrusted again', async () => {
  const place = testProject(code);
  expect(await trustState(place)).toEqual({ state: 'untrusted', files, powers: [], hash: expect.any(String) });
  expect(await trustProject(place)).toEqual({ state: 'trusted', files, powers: [], hash: expect.any(String) });
  expect(await trustState(place)).toEqual({ state: 'trusted', files, powers: [], hash: expect.any(String) });
  expect(await untrustProject(place)).toEqual({ state: 'untrusted', files, powers: [], hash: expect.any(String) });
  expect(await trustState(place)).toEqual({ state: 'untrusted', files, powers: [], hash: expect.any(String) });
});

test('[L8] any change of what would run asks again', async () => {
  const place = testProject(code);
  await trustProject(place);
  const stateAfter = async (change: () => void) => {
    change();
    const { state } = await trustState(place);
    await trustProject(place);
    return state;
  };
  const at = (path: string) => join(place.project, '.troupe', path);
  expect(await stateAfter(() => writeFileSync(at('tools/a.ts'), 'A'))).toBe('changed');
  expect(await stateAfter(() => writeFileSync(at('tools/new.ts'), ''))).toBe('changed');
  expect(await stateAfter(() => writeFileSync(at('tools/lib/b.json'), 'B'))).toBe('changed');
  expect(await stateAfter(() => renameSync(at('tools/new.ts'), at('tools/newer.ts')))).toBe('changed');
  expect(await stateAfter(() => rmSync(at('workflows/w.ts')))).toBe('changed');
  expect(await stateAfter(() => writeFileSync(at('workflows/d.json'), 'data is not code'))).toBe('trusted');
  expect(await stateAfter(() => writeFileSync(join(place.project, 'readme'), ''))).toBe('trusted');
});

test('[L8] what a workflow of the project imports from elsewhere is part of what is trusted', async () => {
  const place = testProject({ '.troupe/workflows/w.ts': "import '../../flows/part.ts';", 'flows/part.ts': 'one' });
  expect((await trustProject(place)).files).toEqual(['.troupe/workflows/w.ts', 'flows/part.ts']);
  writeFileSync(join(place.project, 'flows/part.ts'), 'two');
  expect((await trustState(place)).state).toBe('changed');
});

test('[L8] what was shown is what is trusted: a change while the question stands is not agreed to', async () => {
  const place = testProject(code);
  const shown = await trustState(place);
  writeFileSync(join(place.project, '.troupe/tools/a.ts'), 'other');
  expect((await trustProject(place, shown)).state).toBe('changed');
  expect((await trustState(place)).state).toBe('changed');
  writeFileSync(join(place.project, '.troupe/tools/a.ts'), 'a');
  expect((await trustState(place)).state).toBe('trusted');
});

test('[L8] trust belongs to one real place: a copy has none, a link to it has', async () => {
  const place = testProject(code);
  await trustProject(place);
  const copy = join(place.project, '..', 'copy');
  mkdirSync(copy);
  writeFiles(copy, code);
  expect((await trustState({ ...place, project: copy })).state).toBe('untrusted');
  const link = join(place.project, '..', 'link');
  symlinkSync(place.project, link);
  expect((await trustState({ ...place, project: link })).state).toBe('trusted');
});

test('[L8] the store lies outside the project, for its owner only, and nothing in the project can speak for it', async () => {
  const place = testProject({ ...code, 'trust.json': '{"projects":{}}' });
  await trustProject(place);
  const store = join(place.home, 'trust.json');
  expect(statSync(store).mode & 0o777).toBe(0o600);
  expect(Object.keys((JSON.parse(readFileSync(store, 'utf8')) as { projects: object }).projects)).toEqual([
    place.project,
  ]);
});

test('[L8] links among what would run are refused: what they lead to can change unseen', async () => {
  const place = testProject(code);
  symlinkSync('/etc/passwd', join(place.project, '.troupe/tools/link.ts'));
  const error: unknown = await trustState(place).catch((reason: unknown) => reason);
  expect(isFault(error) && error.code).toBe('PROJECT_NOT_TRUSTABLE');
});

test('[L3] a damaged store is a fault, not an empty one', async () => {
  const place = testProject(code);
  mkdirSync(place.home);
  writeFileSync(join(place.home, 'trust.json'), '{"projects":');
  const error: unknown = await trustState(place).catch((reason: unknown) => reason);
  expect(isFault(error) && error.code).toBe('TRUST_STORE_DAMAGED');
});

test('[L8] a project without its own code has nothing to trust', async () => {
  expect(await trustState(testProject({ 'a.txt': '' }))).toEqual({
    state: 'untrusted',
    files: [],
    powers: [],
    hash: expect.any(String),
  });
});

const notify: Power = { kind: 'command', setting: 'notify', does: 'runs `true`' };

test('[L8] what the settings do is part of what is trusted: another command, address or setting asks again', async () => {
  const place = testProject(code);
  const model: Power = { kind: 'address', setting: 'models.base', does: 'sends conversations to https://a.example' };
  await trustProject({ ...place, powers: [notify, model] });
  const stateWith = async (...powers: readonly Power[]) => (await trustState({ ...place, powers })).state;
  expect(await stateWith(notify, model)).toBe('trusted');
  // In which order a file names them makes no difference.
  expect(await stateWith(model, notify)).toBe('trusted');
  expect(await stateWith(notify)).toBe('changed');
  expect(await stateWith()).toBe('changed');
  expect(await stateWith({ ...notify, does: 'runs `false`' }, model)).toBe('changed');
  expect(await stateWith(notify, { ...model, setting: 'models.fast' })).toBe('changed');
});

test('[L8] code that was trusted before settings counted stays trusted while they do nothing', async () => {
  const place = testProject(code);
  await trustProject(place);
  expect((await trustState({ ...place, powers: [] })).state).toBe('trusted');
  expect((await trustState({ ...place, powers: [notify] })).state).toBe('changed');
});
