import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findCodex, installationFolder } from './probe-codex.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'find-codex-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const ELF = Buffer.from('7f454c4602010100', 'hex');

test('from the link of npm over its script to the program itself, with what belongs to it', () => {
  const modules = join(root, 'lib/node_modules/@openai');
  const script = put(join(modules, 'codex/bin/codex.js'), '#!/usr/bin/env node\n');
  const platform = `codex-${process.platform}-${process.arch}`;
  const target = join(modules, 'codex/node_modules/@openai', platform, 'vendor/x86_64-unknown-linux-musl');
  const program = put(join(target, 'bin/codex'), ELF);
  put(join(target, 'codex-path/rg'), ELF);
  mkdirSync(join(root, 'bin'));
  symlinkSync(script, join(root, 'bin/codex'));
  expect(findCodex({ PATH: join(root, 'bin'), HOME: root })).toEqual({ path: program, isNative: true });
  expect(installationFolder(program)).toBe(target);
});

test('a script without a program is reported as such; a program alone has nothing around it', () => {
  const script = put(join(root, 'alone/codex'), '#!/bin/sh\n');
  expect(findCodex({ PATH: dirname(script), HOME: root })).toEqual({ path: script, isNative: false });
  const program = put(join(root, '.local/bin/codex'), ELF);
  expect(findCodex({ PATH: 'relative', HOME: root })).toEqual({ path: program, isNative: true });
  expect(installationFolder(program)).toBeNull();
  expect(findCodex({ PATH: '', HOME: join(root, 'nobody') })).toBeNull();
});
