import { expect, test } from 'vitest';
import { parseExpression } from '../../source/expression/parse-code.ts';
import { conditionWords } from './condition-words.ts';

function inWords(source: string): string | null {
  const parsed = parseExpression(source, { names: ['result', 'failure'] });
  if (!parsed.ok) throw new Error(`${source}: ${parsed.message}`);
  return conditionWords(parsed.value);
}

test.for([
  ['function.review_work.arguments.improvement_needed === true', 'improvement needed: yes'],
  ['function.review_work.arguments.improvement_needed === false', 'improvement needed: no'],
  ["function.sort_report.arguments.kind === 'bug'", 'kind: bug'],
  ["common_data.ties !== 'person'", 'ties: not person'],
  ['this.common_data.tries < 3', 'tries < 3'],
  ['common_data.good >= common_data.quorum', 'good ≥ quorum'],
  ['common_data.models.length > 0', 'number of models > 0'],
  ['common_data.problem !== null', 'problem'],
  ['common_data.problem === null', 'no problem'],
  ["common_data.verify === ''", 'no verify'],
  ['common_data.isDone', 'is done'],
  ['!variables.isDone', 'not is done'],
  ['result?.choice === "abstain"', 'choice: abstain'],
  ["common_data.tries < 2 && failure.code !== 'MERGE_NOT_FIXED'", 'tries < 2 and code: not MERGE_NOT_FIXED'],
  ['true', 'always'],
  ["common_data.lang === 'TypeScript'", 'lang: TypeScript'],
  ["common_data.flag !== 'feature_x'", 'flag: not feature_x'],
  ['common_data.lang === common_data.wanted', 'lang = wanted'],
  ['common_data.lang !== common_data.wanted', 'lang ≠ wanted'],
  ['result?.approved !== false', 'approved: not no'],
  ['common_data.always', 'always'],
  ['common_data.a || common_data.b || common_data.c', 'a or b or c'],
] as const)('[U2] the condition %s is drawn as "%s"', ([source, words]) => {
  expect(inWords(source)).toBe(words);
});

test.for([
  'common_data.options.includes(result?.choice)',
  'common_data.run.some((one) => one.isDone)',
  'common_data.list[0] === 1',
  '(common_data.a ?? common_data.b) > 1',
  '(common_data.a || common_data.b) && common_data.c',
  'common_data.a || common_data.b && common_data.c',
  'common_data.a.status === common_data.b.status',
])('[U2] the condition %s has no words: its author gives a label, or the drawing says that there is one', (source) => {
  expect(inWords(source)).toBeNull();
});
