import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSourceFile } from './read-source-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-source-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = async (name: string) => {
  const result = await readSourceFile(join(folder, name), { file: name });
  return result.ok ? 'accepted' : result.problems.map((problem) => `${problem.code} ${problem.file}`).join();
};

test('[SM1] a file is read as UTF-8', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'name: Zoë\n');
  expect(await readSourceFile(join(folder, 'a.yaml'))).toMatchObject({ ok: true, value: 'name: Zoë\n' });
});

test('[L3] a file of ten megabytes is refused without reading all of it', async () => {
  writeFileSync(join(folder, 'big.json'), Buffer.alloc(10_000_000, 0x20));
  expect(await refusal('big.json')).toBe('SOURCE_TOO_LARGE big.json');
});

test('[L3] bytes that are no UTF-8, a folder, an endless device and a missing file each have their refusal', async () => {
  writeFileSync(join(folder, 'latin.json'), Buffer.from([0x22, 0xe9, 0x22]));
  symlinkSync('/dev/zero', join(folder, 'endless.json'));
  expect(await refusal('latin.json')).toBe('SOURCE_NOT_TEXT latin.json');
  expect(await refusal('endless.json')).toBe('SOURCE_UNREADABLE endless.json');
  expect(await refusal('.')).toBe('SOURCE_UNREADABLE .');
  expect(await refusal('none.json')).toBe('SOURCE_UNREADABLE none.json');
});
