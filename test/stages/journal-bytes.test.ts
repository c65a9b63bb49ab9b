import { expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { calls, loadModuleFile, newFolder, StageBench } from './stage-bench.ts';
import { writeOwn } from './modules.ts';

const MESSAGES = 200;
const WINDOW = 6;
const MOST_GROWTH = 1.2;

test('[L9] a turn at message 200 journals as much as one at message 10', async () => {
  const folder = newFolder();
  const file = writeOwn(folder, {
    stages: [
      { name: 'ask', agent: 'first', inputFrom: ['tell'], maxIterations: 1000 },
      { name: 'tell', agent: 'second', inputFrom: ['ask'], maxIterations: 1000 },
      { name: 'end', agent: 'first' },
    ],
    config: { maxRevisions: 1000 },
    route: `
      const go = (to, stage) => ({ messages: [{ to, message }], stageTransition: { from: state.currentStage, to: stage } });
      if (state.currentStage === 'end') return { messages: [] };
      if (state.messages.length > ${MESSAGES}) return go('first', 'end');
      return state.currentStage === 'ask' ? go('second', 'tell') : go('first', 'ask');`,
  });
  const said = calls('submit_task', { subject: 'Go on', body: 'words '.repeat(40) });
  const roles = { first: { systemMessage: 'You ask.' }, second: { systemMessage: 'You tell.' } };
  const bench = new StageBench({ folder, roles, rules: [{ reply: said }] });
  const workflows = (await loadModuleFile(file)).map((workflow) => ({
    ...workflow,
    limits: { ...workflow.limits, iterations: 1000 },
  }));
  const played = await bench.start('own', workflows);
  expect(played).toMatchObject({ outcome: 'ok', failure: null });
  const turns = bytesByTurn(played.facts);
  expect(turns.length).toBeGreaterThanOrEqual(MESSAGES);
  const [early, late] = [meanAt(turns, 10), meanAt(turns, MESSAGES)];
  expect(late / early, `${early} bytes at message 10, ${late} at ${MESSAGES}`).toBeLessThanOrEqual(MOST_GROWTH);
});

/** From one visit of `route` to the next. */
function bytesByTurn(facts: readonly Fact[]): readonly number[] {
  const turns: number[] = [];
  for (const fact of facts) {
    if (fact.kind === 'state.entered' && fact.state === 'route') turns.push(0);
    turns.push((turns.pop() ?? 0) + Buffer.byteLength(JSON.stringify(fact)));
  }
  return turns;
}

function meanAt(turns: readonly number[], message: number): number {
  const seen = turns.slice(message - WINDOW, message);
  return Math.round(seen.reduce((sum, bytes) => sum + bytes, 0) / seen.length);
}
