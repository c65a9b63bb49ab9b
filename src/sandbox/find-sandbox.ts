import { spawnSync } from 'node:child_process';
import { bestContainment, type Containment, systemProgram } from '../lib/process-tree.ts';
import type { FoundLevel, FoundSandboxes } from './found-level.ts';
import { hasLandlockPrograms } from './contained-box.ts';
import { readFileSync, statSync } from 'node:fs';
import { ownIdentity } from '../lib/process-identity.ts';
import { Fault } from '../core/model/fault.ts';
import { openSandbox } from './open-sandbox.ts';
import type { Sandbox, SandboxLevel } from './port.ts';
import { replaceFileNow } from '../lib/replace-file.ts';
import { orElse } from '../lib/or-else.ts';

/**
 * Which levels work here: each is tried, none assumed. The findings are kept in a file and hold until the machine is
 * restarted or one of the programs changes.
 */
export async function findSandbox(options: FindOptions): Promise<FoundSandboxes> {
  const { cacheFile, scratch } = options;
  const known = options.fresh === true || cacheFile === undefined ? null : readFound(cacheFile, scratch);
  if (known !== null) return known;
  const found = { levels: await testAll(scratch), scratch };
  if (cacheFile !== undefined) writeFound(cacheFile, found);
  return found;
}

export interface FindOptions {
  /** A folder of the engine for throw-away layers and for the test itself. */
  readonly scratch: string;
  /** Where to keep what was found. */
  readonly cacheFile?: string;
  /** Tries everything again. */
  readonly fresh?: boolean;
}

async function testAll(scratch: string): Promise<readonly FoundLevel[]> {
  if (process.platform !== 'linux') return [candidate('none', 'group')];
  const containment = await bestContainment();
  // Loaded only when there is something to test.
  const { testLevel } = await import('./self-test/test-level.ts');
  const levels: FoundLevel[] = [];
  for (const each of [
    bubblewrapCandidate(containment),
    landlockCandidate(containment),
    candidate('none', containment),
  ]) {
    levels.push(await testLevel(each, scratch));
  }
  return levels;
}

function candidate(level: FoundLevel['level'], containment: Containment): FoundLevel {
  const isCounted = level === 'bubblewrap' || containment !== 'group';
  return {
    level,
    failures: [],
    gaps: [],
    hasOverlay: false,
    processLimit: process.getuid?.() === 0 ? 'control-group' : isCounted ? 'rlimit' : 'none',
    containment,
    identity: 'own',
    program: '',
    canForbidNamespaces: false,
    canLimitScratch: false,
  };
}

function bubblewrapCandidate(containment: Containment): FoundLevel {
  const base = candidate('bubblewrap', containment);
  const program = systemProgram('bwrap');
  if (program === '') return { ...base, failures: ['bubblewrap (bwrap) is not installed'] };
  const help = spawnSync(program, ['--help'], { encoding: 'utf8', env: {}, timeout: 30_000 }).stdout ?? '';
  return {
    ...base,
    identity: process.getuid?.() === 0 ? 'mapped' : 'own',
    program,
    canForbidNamespaces: help.includes('--disable-userns'),
    canLimitScratch: help.includes('--size'),
  };
}

function landlockCandidate(containment: Containment): FoundLevel {
  const base = candidate('landlock', containment);
  return hasLandlockPrograms() ? base : { ...base, failures: ['perl or setpriv is not installed'] };
}

/** The findings of a self-test, if they still hold. A file that is unreadable or damaged counts as none. */
export function readFound(file: string, scratch: string): FoundSandboxes | null {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly key?: unknown; readonly found?: unknown };
    return kept.key === keyFor(scratch) && isFound(kept.found) && holds(kept.found) ? kept.found : null;
  } catch {
    return null;
  }
}

/** Written atomically, so that a reader never sees half of it. If it cannot be kept, the next start tests again. */
export function writeFound(file: string, found: FoundSandboxes): void {
  orElse(() => replaceFileNow(file, JSON.stringify({ key: keyFor(found.scratch), found })), undefined);
}

/** Raised with every change of what a test tries or what a level needs. */
const TEST_VERSION = 4;
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

/**
 * The requested sandbox, or a fault that says what to do. Never a weaker one: that needs an explicit choice. Null asks for
 * the platform's default: bubblewrap on Linux, none elsewhere. `best` takes the strongest that works, even none.
 */
export function chooseSandbox(found: FoundSandboxes, wish: SandboxWish | null): Sandbox {
  const level = wish === 'best' ? strongest(found) : (wish ?? defaultLevel());
  const chosen = found.levels.find((each) => each.level === level);
  if (chosen === undefined || chosen.failures.length > 0) throw unavailable(level, chosen, found);
  return openSandbox(chosen, found.scratch);
}

/** A user's choice of sandbox. */
export type SandboxWish = SandboxLevel | 'best';

const BY_STRENGTH: readonly SandboxLevel[] = ['bubblewrap', 'landlock', 'none'];

function strongest(found: FoundSandboxes): SandboxLevel {
  const works = (level: SandboxLevel) =>
    found.levels.some((each) => each.level === level && each.failures.length === 0);
  return BY_STRENGTH.find(works) ?? 'none';
}

export const defaultLevel = (platform = process.platform): SandboxLevel =>
  platform === 'linux' ? 'bubblewrap' : 'none';

function unavailable(level: SandboxLevel, tested: FoundLevel | undefined, found: FoundSandboxes): Fault {
  const failures = tested?.failures ?? ['it is not known on this system'];
  return new Fault('SANDBOX_UNAVAILABLE', `The sandbox ${level} does not work here: ${failures.join('; ')}.`, {
    hint: sandboxHint(level, found),
    facts: { level, failures },
  });
}

/** What a user can do about a level that does not work. */
export function sandboxHint(level: SandboxLevel, found: FoundSandboxes): string {
  const tested = found.levels.find((each) => each.level === level);
  return [...remedies(level, tested), ...weaker(level, found)].join('\n');
}

const AS_ROOT: readonly string[] = [
  "Run Troupe as an ordinary user. Root's commands get another user id, which needs perl, unshare, Linux 5.12 or later, and",
  'the project, the temporary folder and TROUPE_HOME on ext4, XFS or Btrfs.',
];

function remedies(level: SandboxLevel, tested: FoundLevel | undefined): readonly string[] {
  if (level === 'landlock') return ['Landlock needs Linux 5.13 or later, perl and setpriv.'];
  if (level === 'none') return [];
  if (tested === undefined || tested.program === '') {
    return ['Install bubblewrap: apt-get install bubblewrap (or dnf, pacman -S, zypper install, apk add).'];
  }
  const asRoot = tested.identity === 'mapped' ? AS_ROOT : [];
  return [
    ...asRoot,
    'Bubblewrap is installed, but user namespaces seem to be forbidden. As root, allow them:',
    '  sysctl -w kernel.unprivileged_userns_clone=1   (older Debian)',
    '  sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (Ubuntu 24.04 and later, or give bwrap an AppArmor profile)',
    '  in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined',
    '    --security-opt systempaths=unconfined (the files in deploy/ do this for compose and Kubernetes)',
  ];
}

function weaker(level: SandboxLevel, found: FoundSandboxes): readonly string[] {
  const works = (name: SandboxLevel) => found.levels.some((each) => each.level === name && each.failures.length === 0);
  return [
    ...(level === 'bubblewrap' && works('landlock')
      ? ['Or choose less: --sandbox landlock (modes of files and UDP are not confined).']
      : []),
    ...(level === 'none'
      ? []
      : ['Or run without: --sandbox none (commands can do all that you can; the run records it).']),
  ];
}

/** One line for people. */
export function describeSandbox(found: FoundLevel): string {
  if (found.failures.length > 0) return `${found.level}: does not work here: ${found.failures.join('; ')}`;
  const overlay = found.hasOverlay ? ', throw-away overlays' : '';
  const gaps = found.gaps.length === 0 ? '' : `; not covered: ${found.gaps.join(', ')}`;
  return `${found.level}: ${CLAIMS[found.level]}${overlay}${gaps}`;
}

const CLAIMS = {
  bubblewrap: 'sees and writes only what is declared, no powers, network off unless allowed',
  landlock: 'REDUCED: reads and writes only what is declared, no TCP unless allowed',
  none: 'NO SANDBOX: commands can do all that you can',
} as const;
