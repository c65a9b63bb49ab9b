import { existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { troupeHome } from './home.ts';
import { temporaryHome } from './sqlite/testing/temporary-home.ts';

let folder: string;
let dispose: () => void;

beforeEach(() => {
  const temporary = temporaryHome();
  folder = realpathSync(temporary.home);
  dispose = temporary.dispose;
});
afterEach(() => dispose());

test('[L2] TROUPE_HOME comes first, then the state folder of the desktop, then that of the user', () => {
  const [own, state] = [join(folder, 'own'), join(folder, 'state')];
  expect(troupeHome({ TROUPE_HOME: own, XDG_STATE_HOME: state }, folder)).toBe(own);
  expect(troupeHome({ XDG_STATE_HOME: state }, folder)).toBe(join(state, 'troupe'));
  expect(troupeHome({}, folder)).toBe(join(folder, '.local', 'state', 'troupe'));
});

test('[L2] empty and relative settings count as none', () => {
  const expected = join(folder, '.local', 'state', 'troupe');
  expect(troupeHome({ TROUPE_HOME: '', XDG_STATE_HOME: '' }, folder)).toBe(expected);
  expect(troupeHome({ XDG_STATE_HOME: 'relative/state' }, folder)).toBe(expected);
});

test('[L2] the home is made for this user alone', () => {
  const home = troupeHome({ TROUPE_HOME: join(folder, 'a', 'b') }, folder);
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('[L2] a home behind a symbolic link is returned by its real name', () => {
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  expect(troupeHome({ TROUPE_HOME: join(folder, 'link', 'home') }, folder)).toBe(join(folder, 'real', 'home'));
});

test('[L3] a home that is a file is a fault that says what to do', () => {
  writeFileSync(join(folder, 'file'), 'keep me');
  expect(() => troupeHome({ TROUPE_HOME: join(folder, 'file') }, folder)).toThrow(
    expect.objectContaining({ code: 'HOME_UNWRITABLE', hint: expect.stringContaining('TROUPE_HOME') }),
  );
  expect(existsSync(join(folder, 'file'))).toBe(true);
});
