import { describe, expect, test } from 'vitest';
import { openQuestions } from '../look/open-questions.ts';
import type { Json } from '../model/json.ts';
import { definitionOf, end, to, work } from '../testing/definitions.ts';
import { literal } from '../testing/expressions.ts';
import { TestedRun } from '../testing/tested-run.ts';

const asking = (choices: Json): TestedRun =>
  new TestedRun(
    definitionOf([
      work(
        'ask',
        { kind: 'ask', question: literal('Which one?'), choices: literal(choices) },
        { transitions: [to('stop')] },
      ),
      end(),
    ]),
  );

describe('choices that the workflow computes', () => {
  test('[V3] are the only answers, as a list of texts is', () => {
    const run = asking(['red', 'blue']);
    const [question] = openQuestions(run.snapshot);
    expect(question).toMatchObject({ choices: ['red', 'blue'] });
    expect(question).not.toHaveProperty('choiceDetails');
    run.send({ kind: 'question.answered', question: 't1', answer: 'green', by: 'ann' });
    expect(openQuestions(run.snapshot)).toHaveLength(1);
    run.send({ kind: 'question.answered', question: 't1', answer: 'Blue', by: 'ann' });
    expect(run.snapshot.status).toBe('settled');
  });

  test('are shown with what the workflow says about each', () => {
    const first = { answer: 'impl_1', label: 'Choose', description: '- **Tests:** green', workspace: 'impl_1' };
    const run = asking([first, 'none']);
    expect(openQuestions(run.snapshot)).toMatchObject([
      { choices: ['impl_1', 'none'], choiceDetails: [first, { answer: 'none' }] },
    ]);
  });

  test.for<Json>([[], 'impl_1', null, [1], [''], ['a', 'a'], [{ label: 'a' }]])(
    '[L3] of %j are a failure, not a question that takes any text',
    (choices) => {
      const { snapshot } = asking(choices);
      expect(snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'CHOICES_INVALID' } });
    },
  );
});
