import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandbox, writeFound } from '../find-sandbox.ts';
import type { FoundSandboxes } from '../found-level.ts';

/**
 * For tests that are not about finding a sandbox: what works here, tested once for all of them. A test of the levels starts
 * dozens of programs, which takes longer than most tests.
 */
export async function knownSandbox(scratch: string): Promise<FoundSandboxes> {
  const shared = join(tmpdir(), `troupe-tests-${process.getuid?.() ?? 'user'}`);
  const found = await findSandbox({ scratch: join(shared, 'scratch'), cacheFile: join(shared, 'sandbox.json') });
  return { ...found, scratch };
}

/** A home in which that has been found before. */
export function keepSandbox(home: string, found: FoundSandboxes): void {
  writeFound(join(home, 'sandbox.json'), { ...found, scratch: join(home, 'sandbox') });
}
