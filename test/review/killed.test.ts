import { expect, test } from 'vitest';
import { drive, killedAt, place } from './killing.ts';

test('[L6] killed with -9 in reviews, debate and revision, a resumed run comes to the same ledger', async () => {
  const undisturbed = drive('driver.ts', place(), 'start');
  expect(undisturbed.stderr).toBe('');
  const whole = JSON.parse(undisturbed.stdout) as object;
  expect(whole).toMatchObject({ outcome: 'ok', ledger: { debate: 3, outcome: { kind: 'consensus' } } });
  for (const moment of ['asked:debate:2', 'after:take:4', 'asked:revise:1']) {
    const { said, ...how } = await killedAt('driver.ts', moment);
    expect({ moment, ...how }).toEqual({ moment, signal: 'SIGKILL', stderr: '', repeated: [] });
    expect(JSON.parse(said)).toEqual(whole);
  }
}, 300_000);
