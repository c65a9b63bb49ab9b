import { describe, expect, test } from 'vitest';
import type { Workflow } from '../../../core/model/workflow.ts';
import { valueOrFault } from '../../../source/checked.ts';
import { readDocument } from '../../../source/read-document.ts';
import type { ReviewTerms } from '../rules/review-state.ts';
import { defineReview } from './define-review.ts';
import { parseReview } from './parse-review.ts';

function parse(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  return parseReview(document, { file: 'w.yml', locate });
}

const GOOD = 'name: r\nimplementers: [base, smart, codex]\nreviewers: [base, { model: smart, name: ann }]\n';

const workflowOf = (text: string): Workflow | undefined => valueOrFault(parse(text), 'INTERNAL')[0];

/** The rounds, the final rounds, the revisions and the quorum that the rules go by. */
function termsOf(text: string): readonly unknown[] {
  const terms = workflowOf(text)?.plan as unknown as ReviewTerms;
  return [terms.maxRounds, terms.finalRounds, terms.maxRevisions, terms.quorum];
}

describe('[PD1] [PD6] a review file', () => {
  test('gives each agent a conversation and the implementers their own files', () => {
    const workflow = workflowOf(GOOD);
    expect(workflow?.agents.map(({ name, workspace, actor }) => [name, workspace, actor])).toEqual([
      ['impl_1', 'own', undefined],
      ['impl_2', 'own', undefined],
      ['impl_3', 'own', 'codex'],
      ['rev_1', 'review', undefined],
      ['ann', 'review', undefined],
      ['synthesiser', 'review', undefined],
      ['hybrid', 'own', undefined],
    ]);
    expect(workflow?.casts?.['impl_2']).toEqual({ of: 'implementer', change: { level: 'smart' } });
    expect(workflow?.casts?.['ann']).toEqual({ of: 'peer_reviewer', change: { level: 'smart' } });
  });

  test('[PD6] has the limits of the document by default', () => {
    expect(termsOf(GOOD)).toEqual([5, 3, 2, 1]);
    expect(termsOf(`${GOOD}max_revisions: 0\nfinal_rounds: 4\n`)).toEqual([5, 4, 0, 1]);
    expect(workflowOf(`${GOOD}timeout: 2\nreview_timeout: 3\n`)?.states).toMatchObject({
      implement: { timeoutMs: 2000 },
      revise: { timeoutMs: 2000 },
      review: { timeoutMs: 3000 },
      debate: { timeoutMs: 3000 },
    });
  });

  test('[W1] says which of its programs run commands on files, or put some there', () => {
    const computed = JSON.stringify(workflowOf(GOOD)?.states).matchAll(
      /"program":"review\.(\w+)"[^]*?(?="kind":"compute"|$)/g,
    );
    const writing = [...computed].filter(([text]) => text.includes('"writes":true')).map(([, name]) => name);
    expect(writing).toEqual(['verify', 'pack', 'hybrid', 'guard']);
  });

  test('[U3] can be written in TypeScript', () => {
    const workflow = defineReview({
      name: 'mine',
      implementers: ['base'],
      reviewers: ['base', 'smart'],
      verify: 'true',
    });
    expect(workflow).toMatchObject({ name: 'mine', family: 'review', data: { verify: 'true' } });
    expect(() => defineReview({ name: 'mine', implementers: [], reviewers: ['base', 'smart'] })).toThrow(
      expect.objectContaining({ code: 'WORKFLOW_INVALID' }),
    );
  });
});

describe('bad review files', () => {
  test.each([
    ['no reviewers', 'name: r\nimplementers: [base]\nreviewers: []\n', 'VALUE_INVALID', 3, 'at least two'],
    ['one reviewer', 'name: r\nimplementers: [base]\nreviewers: [base]\n', 'VALUE_INVALID', 3, 'at least two'],
    ['no implementers', 'name: r\nimplementers: []\nreviewers: [base, smart]\n', 'VALUE_INVALID', 2, 'at least one'],
    [
      'a quorum of too many',
      'name: r\nimplementers: [base]\nreviewers: [base, smart]\nquorum: 2\n',
      'QUORUM_TOO_LARGE',
      4,
      'only 1',
    ],
    [
      'a name twice',
      'name: r\nimplementers: [{ name: a }, { name: a }]\nreviewers: [base, smart]\n',
      'NAME_TAKEN',
      2,
      '"a"',
    ],
    [
      'an unknown pick',
      'name: r\nimplementers: [base]\nreviewers: [base, smart]\npick: best\n',
      'VALUE_INVALID',
      4,
      'ranking',
    ],
    [
      'rounds of 0',
      'name: r\nimplementers: [base]\nreviewers: [base, smart]\nmax_rounds: 0\n',
      'VALUE_INVALID',
      4,
      'above 0',
    ],
    [
      'an unknown key',
      'name: r\nimplementers: [base]\nreviewers: [base, smart]\nmax_round: 2\n',
      'KEY_UNKNOWN',
      4,
      'max_rounds',
    ],
    [
      'reviewers of one model',
      'name: r\nimplementers: [base]\nreviewers: [base, base]\n',
      'REVIEWERS_ALIKE',
      3,
      'different',
    ],
  ])('%s', (_what, text, code, line, words) => {
    const result = parse(text);
    const [first] = result.ok ? result.warnings : result.problems;
    expect(first).toMatchObject({ code, at: { line } });
    expect(`${first?.message} ${first?.hint}`).toContain(words);
  });
});
