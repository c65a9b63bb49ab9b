import { expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from './patterns-bench.ts';
import { fails, votes } from './replies.ts';

/** Each votes for what it is called, as long as there is an option of that name. */
const byName = ({ model }: Asked): CallReply => votes(model.split('-')[0] ?? '');

const vote = async (models: readonly string[], input = {}, plot = byName) => {
  const bench = new PatternBench(plot);
  const rest = await bench.start('vote', { question: 'Ship it?', models: [...models], ...input });
  return { bench, rest };
};

test('[PD8] the engine counts the ballots, each is kept with its reason', async () => {
  const { bench, rest } = await vote(['yes-a', 'no-b', 'yes-c']);
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      winner: 'yes',
      by: 'votes',
      count: { yes: 2, no: 1 },
      ballots: [
        { model: 'yes-a', choice: 'yes', reason: 'because' },
        { model: 'no-b', choice: 'no' },
        { model: 'yes-c', choice: 'yes' },
      ],
    },
  });
  // In secret: no ballot mentions another.
  for (const prompt of bench.promptsTo('voter')) expect(prompt).toContain('Ship it?\n\n# Options\n\n- yes\n- no');
});

test('[PD8] abstentions, failures and invalid ballots are reported and not counted', async () => {
  const { bench, rest } = await vote(['yes', 'abstain', 'broken', 'prose', 'maybe'], {}, (asked) => {
    if (asked.model === 'broken') return fails('no such key');
    return asked.model === 'prose' ? says('I think yes.') : byName(asked);
  });
  expect(rest).toMatchObject({
    outcome: 'ok',
    output: {
      winner: 'yes',
      count: { yes: 1, no: 0 },
      ballots: [
        { choice: 'yes', outcome: 'ok' },
        { choice: null, outcome: 'ok', reason: 'because' },
        { choice: null, outcome: 'failed', reason: expect.stringContaining('no such key') },
        { choice: null, outcome: 'failed', reason: expect.stringContaining('asked twice for `cast_ballot`') },
        { choice: null, reason: 'The ballot is spoiled.' },
      ],
    },
  });
  // A ballot for something that is no option, and text, are asked for again in the same turn.
  expect(bench.modelsOf('voter').toSorted()).toEqual(['abstain', 'broken', 'maybe', 'prose', 'yes']);
  expect(bench.asked.filter(({ model }) => model === 'maybe')).toHaveLength(2);
});

test('[PD8] equal ballots are broken by the person, who can only choose among the equal', async () => {
  const options = ['red', 'green', 'blue'];
  const { bench, rest } = await vote(['red', 'blue'], { options });
  expect(rest).toMatchObject({ status: 'waiting', questions: [{ choices: ['red', 'blue'] }] });
  await expect(bench.answer('green')).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
  expect(await bench.answer('blue')).toMatchObject({
    outcome: 'ok',
    output: { winner: 'blue', by: 'person', count: { red: 1, green: 0, blue: 1 } },
  });
});

test('[PD8] or by rule: what stands first in the list', async () => {
  const { rest } = await vote(['blue', 'red'], { options: ['red', 'green', 'blue'], ties: 'first' });
  expect(rest).toMatchObject({ outcome: 'ok', output: { winner: 'red', by: 'first' } });
});

test('[PD8] where all abstain nothing is decided, and neither is it below the quorum', async () => {
  const none = await vote(['abstain-a', 'abstain-b']);
  expect(none.rest).toMatchObject({
    outcome: 'failed',
    failure: { code: 'QUORUM_MISSED', message: '0 of 2 voted.' },
    output: { winner: null, count: { yes: 0, no: 0 } },
  });
  const few = await vote(['yes', 'abstain'], { quorum: 2 });
  expect(few.rest).toMatchObject({ outcome: 'failed', failure: { code: 'QUORUM_MISSED', message: '1 of 2 voted.' } });
});

test('[PD8] where all fail the run does', async () => {
  const { rest } = await vote(['a', 'b'], {}, () => fails('no such key'));
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
});

test.for([
  ['no voters', [], {}, 'NO_CANDIDATES'],
  ['no options', ['a'], { options: [] }, 'OPTIONS_INVALID'],
  ['one option', ['a'], { options: ['red'] }, 'OPTIONS_INVALID'],
  ['the same option twice', ['a'], { options: ['red', 'red', 'blue'] }, 'OPTIONS_INVALID'],
  ['an option that is no text', ['a'], { options: ['red', 'blue', 3] }, 'OPTIONS_INVALID'],
  ['abstaining as an option', ['a'], { options: ['red', 'blue', 'abstain'] }, 'OPTIONS_INVALID'],
  ['an unknown rule', ['a'], { ties: 'dice' }, 'TIES_UNKNOWN'],
] as const)('[PD8] %s: it is reported before the first paid call', async ([, models, input, code]) => {
  const { bench, rest } = await vote(models, input);
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code } });
  expect(bench.asked).toEqual([]);
});

test('[PD8] one voter alone decides', async () => {
  expect((await vote(['no'])).rest).toMatchObject({ outcome: 'ok', output: { winner: 'no', by: 'votes' } });
});
