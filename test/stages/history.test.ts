import { describe, expect, test } from 'vitest';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { calls, findings, review, StageBench } from './stage-bench.ts';

const RULES = [
  { when: { state: 'verification' }, reply: review('NEEDS_REVISION') },
  { when: { agent: 'reviewer' }, reply: review('APPROVED') },
  { when: { agent: 'researcher' }, reply: findings('it is so') },
  { when: { agent: 'orchestrator' }, reply: calls('submit_result', { summary: 'so it is', body: 'All.' }) },
];

const STAGES = ['initial_research', 'verification', 'deep_dive', 're_verification', 'synthesis', 'done'];

describe('[U7] a stage workflow at an earlier record', () => {
  test('a fork goes through the stages that were still to come, from any stage', async () => {
    const bench = new StageBench({ rules: RULES });
    const played = await bench.start('research');
    const entered = played.facts.flatMap((fact, at) =>
      fact.kind === 'state.entered' && STAGES.slice(0, -1).includes(fact.state) ? [at + 1] : [],
    );
    expect(entered).toHaveLength(5);
    for (const at of entered) {
      const forked = await bench.host.fork(played.run, { at, by: 'ann' });
      await bench.host.resume(forked);
      const again = await bench.rest(forked);
      expect({ at, outcome: again.outcome, states: again.states }).toEqual({ at, outcome: 'ok', states: STAGES });
      expect(again.output).toMatchObject({ success: true, summary: 'so it is' });
    }
    expect((await bench.rest(played.run)).facts).toEqual(played.facts);
  });

  test('put back to a stage it goes on from there, and the loops count from there', async () => {
    const bench = new StageBench({ rules: RULES });
    const played = await bench.start('research');
    const to = played.facts.findIndex((fact) => fact.kind === 'state.entered' && fact.state === 'deep_dive') + 1;
    for (const _time of [1, 2, 3]) {
      await bench.host.rewind(played.run, { to, files: false, conversation: true, by: 'ann' });
      await bench.host.resume(played.run);
      const again = await bench.rest(played.run);
      expect(again).toMatchObject({ outcome: 'ok', output: { success: true } });
      expect(again.states.slice(-3)).toEqual(STAGES.slice(-3));
    }
  });
});

describe('a person steps in while a stage is played', () => {
  const HANGING = [{ when: { state: 'verification' }, reply: { hang: true } }, ...RULES.slice(1)];

  test('[L10] cancelled: the agent is stopped, and nothing further begins', async () => {
    const bench = new StageBench({ rules: HANGING });
    const definition = await bench.definition('research', shippedStages());
    const run = await bench.host.start({ definition, input: { goal: 'x' }, project: bench.folder });
    while ((await bench.host.snapshot(run)).current.state !== 'verification') await nextTurn();
    await bench.host.cancel(run, 'ann', 'enough');
    const played = await bench.rest(run);
    expect(played).toMatchObject({ outcome: 'cancelled', failure: { code: 'CANCELLED' } });
    expect(played.states).toEqual(['initial_research', 'verification']);
  });
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
