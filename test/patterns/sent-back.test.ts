import { expect, test } from 'vitest';
import type { CallReply } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { PatternBench, type Asked } from './patterns-bench.ts';
import { calls, writesThenSays } from './replies.ts';

/** One after the other, then the last one again and again. */
const inTurn = (...replies: readonly (readonly [string, JsonObject] | string)[]): (() => CallReply) => {
  let at = -1;
  return () => {
    const reply = replies[Math.min((at += 1), replies.length - 1)] ?? '';
    return typeof reply === 'string' ? says(reply) : calls(...reply);
  };
};

const plays = async (workflow: string, input: JsonObject, judge: () => CallReply) => {
  const bench = new PatternBench((asked: Asked) =>
    asked.role === 'coder' ? writesThenSays(asked, `a${asked.turn}.txt`, 'a\n') : judge(),
  );
  return { bench, rest: await bench.start(workflow, input) };
};

test('[A7] a product manager that rejects work without naming what is missing is asked for it in the same turn', async () => {
  const judge = inTurn(
    'The work order.',
    ['task_approval', { approved: false }],
    ['task_approval', { approved: false, feedback: 'a1.txt has no second line.' }],
    ['task_approval', { approved: true, feedback: 'Both lines are there.' }],
  );
  const { bench, rest } = await plays('product_manager_coder', { feature_request: 'Write a.' }, judge);
  expect(rest).toMatchObject({ outcome: 'ok' });
  const [order, ...sentBack] = bench.promptsTo('coder');
  expect(order).toContain('# The request, word for word\n\nWrite a.\n\n# Work order\n\nThe work order.');
  expect(sentBack).toEqual([expect.stringContaining('did not accept the work yet: a1.txt has no second line.')]);
});

test('[A7] [A4] a reviewer that sends work back without a message is asked for one in the same turn', async () => {
  const judge = inTurn(
    ['review_work', { improvement_needed: true, continue_message: ' ' }],
    ['review_work', { improvement_needed: true, continue_message: 'a1.txt has no second line.' }],
    ['review_work', { improvement_needed: false, work_summary: 'good' }],
  );
  const { bench, rest } = await plays('coder_reviewer', { task_to_do: 'Write a.' }, judge);
  expect(rest).toMatchObject({ outcome: 'ok', output: 'good' });
  expect(bench.promptsTo('coder')).toHaveLength(2);
  expect(bench.promptsTo('reviewer')).toHaveLength(2);
});

test('[A7] the judge of work gets the diff and the engine’s own test result', async () => {
  const judge = inTurn(['review_work', { improvement_needed: false, work_summary: 'good' }]);
  const { bench } = await plays('coder_reviewer', { task_to_do: 'Write a.' }, judge);
  expect(bench.promptsTo('reviewer')[0]).toMatch(
    /a1\.txt \+1 -0[^]*# Tests\n\nThe engine knows no command that tests this/,
  );
});
