import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemProgram } from '../lib/process-tree.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { ownIdentity } from '../lib/process-identity.ts';
import type { FoundSandboxes } from './found-level.ts';

/** What a self-test found, if it still holds. A file that cannot be read or is damaged counts as none. */
export function readFound(file: string, scratch: string): FoundSandboxes | null {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly key?: unknown; readonly found?: unknown };
    return kept.key === keyFor(scratch) && isFound(kept.found) && holds(kept.found) ? kept.found : null;
  } catch {
    return null;
  }
}

/** In one piece, so that a reader never sees half of it. That it cannot be kept is no reason to stop. */
export function writeFound(file: string, found: FoundSandboxes): void {
  try {
    makeFolder(dirname(file), 0o700);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ key: keyFor(found.scratch), found }), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The next start tests again.
  }
}

/** Raised with every change of what a test tries or what a level needs. */
const TEST_VERSION = 3;
const PROGRAMS = ['bwrap', 'unshare', 'setpriv', 'prlimit', 'mount', 'perl'];

function keyFor(scratch: string): string {
  const programs = PROGRAMS.map((name) => stampOf(systemProgram(name)));
  const identity = [TEST_VERSION, ownIdentity().bootId, process.getuid?.() ?? null, process.execPath, scratch];
  return JSON.stringify([...identity, ...programs]);
}

function stampOf(program: string): string {
  if (program === '') return '';
  const { mtimeMs, size } = statSync(program);
  return `${program} ${mtimeMs} ${size}`;
}

/** A refusal of the kernel can be lifted at any moment, so it is looked at again each time. */
function holds(found: FoundSandboxes): boolean {
  const first = found.levels[0];
  return first === undefined || first.failures.length === 0 || first.program === '';
}

function isFound(value: unknown): value is FoundSandboxes {
  if (typeof value !== 'object' || value === null || !('levels' in value) || !Array.isArray(value.levels)) return false;
  return value.levels.every(isLevel);
}

const isLevel = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'level' in value &&
  ['failures', 'gaps'].every((name) => Array.isArray((value as Record<string, unknown>)[name])) &&
  ['program', 'processLimit', 'containment', 'identity'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  );
