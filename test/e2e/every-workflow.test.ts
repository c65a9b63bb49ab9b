import { expect, test } from 'vitest';
import { IS_PROOF } from '../sample.ts';
import { EVERY_WORKFLOW, killed, played } from './every-workflow.ts';

/** The parts of its writes after which its process is killed; in the tests each workflow gets one of three. */
const PARTS = Array.from({ length: 11 }, (_, index) => (index + 1) / 12);

/** Their processes die before every write in tests of their own: `test/patterns/crash.test.ts` and `test/stages/crash.test.ts`. */
const DIE_ELSEWHERE: ReadonlySet<string> = new Set(['judge', 'research']);

// That each can be drawn is shown in `src/server/graph/draw-scene.test.ts`.
test.for(EVERY_WORKFLOW)(
  '[R5] [L6] %s runs, and comes out the same when its process is killed in the middle',
  async (name) => {
    const whole = await played(name);
    expect(whole.rest).toMatchObject({ status: 'settled', outcome: 'ok' });
    if (DIE_ELSEWHERE.has(name)) return;
    const dealtPart = PARTS[2 + 3 * (EVERY_WORKFLOW.indexOf(name) % 3)] ?? 0;
    for (const part of IS_PROOF ? PARTS : [dealtPart]) {
      // Nothing can be resumed before the first write.
      const after = 1 + Math.floor((whole.writes - 1) * part);
      const again = await killed(name, after);
      expect({ after, outcome: again.rest.outcome, failure: again.rest.failure }).toMatchObject({
        after,
        outcome: 'ok',
      });
      expect({ after, states: again.states }).toEqual({ after, states: whole.states });
    }
  },
);
