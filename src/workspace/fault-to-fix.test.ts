import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Fault } from '../core/model/fault.ts';
import { faultToFix, fullDiskAt } from './store/store-fault.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it said so`), { code });
const place = join(tmpdir(), 'not', 'there');

test.each([
  ['ENOSPC', 'DISK_FULL'],
  ['EDQUOT', 'DISK_FULL'],
  ['EROFS', 'STORE_UNWRITABLE'],
])('[I83] %s is for a person to fix: %s, which names the folder', (code, fault) => {
  const found = faultToFix(systemError(code), place);
  expect(found).toMatchObject({ code: fault, facts: { place, code } });
  expect(found?.message).toContain(place);
});

test('[I83] a full disk is reported with the space that is left, also where the folder is gone', () => {
  const found = faultToFix(systemError('ENOSPC'), place);
  expect(found?.message).toMatch(/ \(\d+ (?:kB|MB) free\)\.$/);
  expect(typeof found?.facts['freeBytes']).toBe('number');
});

test('a fault that a person has to fix stays as it is; all others are for the agent', () => {
  const missing = new Fault('WORKSPACE_MISSING', 'gone');
  expect(faultToFix(missing, place)).toBe(missing);
  const others = [
    systemError('ENOENT'),
    systemError('EACCES'),
    new Error('No space left on device'),
    new Fault('USAGE', ''),
    'ENOSPC',
  ];
  expect(others.map((error) => faultToFix(error, place))).toEqual(others.map(() => null));
});

test('a disk with room left is not taken for a full one', () => {
  expect(fullDiskAt(tmpdir())).toBeNull();
});
