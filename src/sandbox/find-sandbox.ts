import { spawnSync } from 'node:child_process';
import { bestContainment, systemProgram } from '../lib/process-tree.ts';
import type { Containment } from '../lib/process-tree.ts';
import type { FoundLevel, FoundSandboxes } from './found-level.ts';
import { hasLandlockPrograms } from './landlock/landlock-prefix.ts';
import { readFound, writeFound } from './found-cache.ts';

/**
 * Which levels work here: each is tried out, none assumed. What was found is kept in a file and holds until the machine is
 * started again or one of the programs changes.
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
  /** A folder of the engine's own for throw-away layers and for the test itself. */
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
  const help = spawnSync(program, ['--help'], { encoding: 'utf8', env: {}, timeout: 5000 }).stdout ?? '';
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
