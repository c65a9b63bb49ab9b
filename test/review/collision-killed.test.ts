import { expect, test } from 'vitest';
import { drive, killedAt, place } from './killing.ts';

/** From the question about the command to the merge of the second winner. */
const WAY = `start try_verify ask_verify answer_verify try_verify implement implemented verify verified
  pack review take decide ask decide merge merge_impl_1 done
  decide merge merge_impl_2 unmerged settle guard merge merge_impl_2
  unmerged collide answer_collision settle guard merge merge_impl_2 done`.split(/\s+/);

const MOMENTS = ['after:ask_verify:1', 'asked:settle:1', 'before:collide:1', 'after:collide:1', 'after:merge_impl_2:3'];

test('[L6] [PD2] [PD7] killed with -9 where a person is asked about the command or a collision, or the author settles one, it comes to the same', async () => {
  const undisturbed = drive('collision-driver.ts', place(), 'start');
  expect(undisturbed.stderr).toBe('');
  const whole = JSON.parse(undisturbed.stdout) as object;
  expect(whole).toMatchObject({ outcome: 'ok', decision: { best: 'impl_2' }, way: WAY });
  expect(whole).toMatchObject({ made: "export const encode = 'both';\n" });
  for (const moment of MOMENTS) {
    const { said, ...how } = await killedAt('collision-driver.ts', moment);
    expect({ moment, ...how }).toEqual({ moment, signal: 'SIGKILL', stderr: '', repeated: [] });
    expect(JSON.parse(said)).toEqual(whole);
  }
}, 600_000);
