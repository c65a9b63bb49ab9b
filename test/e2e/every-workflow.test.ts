import { expect, test } from 'vitest';
import { EVERY_WORKFLOW, played } from './every-workflow.ts';

/** How often a process dies in each of them, at writes that are spread evenly. Drawn they are in `draw-scene.test.ts`. */
const DEATHS = 3;

/** Their processes die before every write in tests of their own: `test/patterns/crash.test.ts` and `test/stages/crash.test.ts`. */
const DIE_ELSEWHERE: ReadonlySet<string> = new Set(['judge', 'research']);

test.for(EVERY_WORKFLOW)(
  '[R5] [L6] %s runs, and comes out the same when its process dies in the middle',
  async (name) => {
    const whole = await played(name);
    expect(whole.rest).toMatchObject({ status: 'settled', outcome: 'ok' });
    // A host that dies in this process leaves what others of its agents are doing in their folders, which a real death ends:
    // `test/crash`, `test/storm` and `test/cluster` kill processes.
    if (DIE_ELSEWHERE.has(name) || whole.isParallel) return;
    for (let death = 1; death <= DEATHS; death += 1) {
      // Nothing can be resumed before the first write.
      const after = 1 + Math.floor(((whole.writes - 1) * death) / (DEATHS + 1));
      const again = await played(name, after);
      expect({ after, outcome: again.rest.outcome, failure: again.rest.failure }).toMatchObject({
        after,
        outcome: 'ok',
      });
      expect({ after, states: again.states }).toEqual({ after, states: whole.states });
    }
  },
);
