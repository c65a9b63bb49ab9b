import { expect, test } from 'vitest';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { runId } from '../../src/core/model/ids.ts';
import { findings, review, StageBench } from './stage-bench.ts';

const RULES = [
  { when: { state: 'verification' }, reply: review('NEEDS_REVISION') },
  { when: { agent: 'reviewer' }, reply: review('APPROVED') },
  { when: { agent: 'researcher' }, reply: findings('it is so') },
];

const STAGES = ['initial_research', 'verification', 'deep_dive', 're_verification', 'synthesis', 'done'];

test('[L6] [ST2] whichever write a process dies at, the resumed run goes through the same stages, each played once', async () => {
  for (let writes = 1, isWhole = false; !isWhole; writes += 1) {
    const kept = createMemoryJournal();
    const dying = dyingJournal(kept, { afterAppends: writes });
    const first = new StageBench({ rules: RULES, journal: dying, dies: true });
    const run = runId(`r${writes}`);
    const definition = await first.definition('research', shippedStages());
    const input = { goal: 'Is it so?' };
    const ended = first.host.start({ definition, input, run, project: first.folder }).then(() => first.host.rest(run));
    await Promise.race([ended, dying.died]);
    isWhole = !dying.isDead();
    if (isWhole) break;
    const second = new StageBench({ rules: RULES, journal: kept, folder: first.folder });
    await second.host.resume(run);
    const played = await second.rest(run);
    expect({ writes, outcome: played.outcome, states: played.states }).toEqual({
      writes,
      outcome: 'ok',
      states: STAGES,
    });
    const answers = played.facts.filter(({ kind }) => kind === 'call.answered');
    expect(answers).toHaveLength(5);
    expect(new Set(played.bus.map(({ id, receiver }) => `${id} ${receiver}`)).size).toBe(played.bus.length);
  }
});
