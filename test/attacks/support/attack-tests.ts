import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { knownSandbox } from '../../../src/sandbox/testing/known-sandbox.ts';
import { hold, missingFor, trials } from './attack.ts';
import type { Attack } from './attack.ts';

const isSampled = process.env['TROUPE_ATTACK_LEVELS'] === 'one';

/** Tests of attacks, each at every level that promises to withstand it; at one of them if TROUPE_ATTACK_LEVELS is `one`. */
export async function attackTests(attacks: readonly Attack[]): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'attack-scratch-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const found = await knownSandbox(scratch);
  const named = trials(isSampled ? attacks.map(atOneLevel) : attacks).map((trial) => [trial.name, trial] as const);
  test.for(named)('%s', async ([, trial], context) => {
    const missing = missingFor(trial, found);
    if (missing !== null) context.skip(missing);
    await expect(hold(trial, found)).resolves.toBeUndefined();
  });
}

const atOneLevel = (attack: Attack, index: number): Attack => {
  const at = index % attack.levels.length;
  return { ...attack, levels: attack.levels.slice(at, at + 1) };
};
