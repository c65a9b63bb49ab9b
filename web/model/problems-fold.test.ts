import { describe, expect, test } from 'vitest';
import { problemCount, treeProblems } from './run-history.ts';
import { failedTurn } from './testing/apart-tree.ts';
import { recordedTree } from './testing/recorded-tree.ts';
import { entered, smallTree, turn } from './testing/small-run.ts';
import { ended } from '../../src/protocol/workflow-state/testing/test-records.ts';

const FAILURE = { code: 'MODEL_DOWN', message: 'The model does not answer.', class: 'server', hint: 'Try later.' };
const failed = (retryAt: number | null): object => ({
  kind: 'call.failed',
  task: 't1',
  call: 1,
  attempt: 1,
  failure: FAILURE,
  retryAt,
});
const answered = {
  kind: 'call.answered',
  task: 't1',
  call: 1,
  attempt: 2,
  message: {
    author: 'ada',
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'c1', name: 'write_file', arguments: { path: '../x' } }],
  },
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 0,
  model: 'm',
  ms: 1,
};
const settled = (outcome: string, failure: object | null = null): object => ({
  kind: 'run.settled',
  outcome,
  output: null,
  failure,
});

describe('[U2] problems on the way', () => {
  test('a failure goes up from a call to the run, and is shown once, with its place and its hint', () => {
    const tree = smallTree(
      entered('s', 1),
      turn('t1', 's'),
      failed(null),
      ended('t1', 'failed', FAILURE),
      settled('failed', FAILURE),
    );
    expect(treeProblems(tree)).toMatchObject([
      {
        seq: 4,
        state: 's',
        visit: 1,
        task: 't1',
        agent: 'ada',
        code: 'MODEL_DOWN',
        hint: 'Try later.',
        standing: 'open',
        isEnd: true,
      },
    ]);
    expect(problemCount(tree)).toBe(1);
  });

  test('a failure that a retry resolved is still shown, and not counted', () => {
    const tree = smallTree(entered('s', 1), turn('t1', 's'), failed(5000), answered);
    expect(treeProblems(tree)).toMatchObject([{ code: 'MODEL_DOWN', standing: 'fixed' }]);
    expect(problemCount(tree)).toBe(0);
  });

  test('[U8] a failure of a turn that a run below takes is shown once, until the run comes out well without it', () => {
    const failure = { run: 'r', task: 't1', agent: 'ada', code: 'MODEL_DOWN', isEnd: false };
    const client = { run: 'r/t1', task: 't1' };
    expect(treeProblems(failedTurn(FAILURE))).toMatchObject([{ ...failure, standing: 'open', client }]);
    expect(problemCount(failedTurn(FAILURE))).toBe(1);
    expect(treeProblems(failedTurn(FAILURE, settled('ok')))).toMatchObject([{ ...failure, standing: 'fixed' }]);
    expect(treeProblems(failedTurn(FAILURE, settled('failed', FAILURE)))).toMatchObject([{ ...failure, isEnd: true }]);
  });

  test('a refused tool is shown with its request and the reason', () => {
    const refused = {
      kind: 'tool.finished',
      task: 't1',
      toolCall: 'c1',
      content: 'Outside of the workspace.',
      isError: true,
      ms: 1,
      refused: 'PATH_OUTSIDE',
    };
    expect(treeProblems(smallTree(turn('t1', 's'), answered, refused))).toMatchObject([
      { kind: 'refused', code: 'PATH_OUTSIDE', text: 'write_file ../x', detail: 'Outside of the workspace.' },
    ]);
  });

  test('a limit stands until it is raised', () => {
    const reached = { kind: 'limit.reached', limit: 'iterations', allowed: 3, used: 3, state: 's' };
    const raised = { kind: 'limit.raised', limit: 'iterations', allowed: 9, by: 'me' };
    expect(problemCount(smallTree(entered('s', 1), reached))).toBe(1);
    expect(problemCount(smallTree(entered('s', 1), reached, raised))).toBe(0);
  });

  test('of the process of a client is known that its words are kept', () => {
    const noted = { kind: 'session.noted', task: 't1', agent: 'ada', actor: 'claude-code', session: 'x', how: 'new' };
    expect(treeProblems(smallTree(turn('t1', 's'), noted, failed(null)))).toMatchObject([
      { client: { run: 'r', task: 't1' } },
    ]);
  });

  test('a result that is in conflict stands although the run came out well', () => {
    const handed = {
      kind: 'delivery.finished',
      workspace: 'main',
      tree: 't',
      how: 'conflict',
      conflicts: ['a.txt'],
      by: 'me',
    };
    expect(treeProblems(smallTree(entered('s', 1), settled('ok'), handed))).toMatchObject([
      { kind: 'result', code: 'MERGE_CONFLICT', standing: 'open' },
    ]);
  });

  test('a conflict does not stand any more once the result was brought home after all', () => {
    const handed = {
      kind: 'delivery.finished',
      workspace: 'main',
      tree: 't',
      how: 'conflict',
      conflicts: ['a'],
      by: 'me',
    };
    const branch = { ...handed, how: 'branch', where: 'troupe/r', conflicts: undefined };
    const written = { kind: 'project.changed', how: 'applied', before: 't', after: 't', kept: [], by: 'me' };
    const over = [entered('s', 1), settled('ok'), handed];
    expect(problemCount(smallTree(...over))).toBe(1);
    expect(problemCount(smallTree(...over, handed))).toBe(1);
    expect(problemCount(smallTree(...over, branch))).toBe(0);
    // Without a workspace it is only about to be written.
    expect(problemCount(smallTree(...over, written))).toBe(1);
    expect(problemCount(smallTree(...over, { ...written, workspace: 'main', tree: 't' }))).toBe(0);
  });

  test('[L4] a refused check is shown with the end of what it printed', () => {
    const report = { kind: 'result.not-verified', output: 'FAIL sum.test.ts > adds\n1 failed\n' };
    const refused = { how: 'not-verified', command: 'npm test', reason: 'It ended with 1.', report };
    const handed = { kind: 'delivery.finished', workspace: 'main', tree: 't', by: 'me', ...refused };
    const [problem] = treeProblems(smallTree(entered('s', 1), settled('ok'), handed));
    expect(problem).toMatchObject({
      code: 'RESULT_NOT_VERIFIED',
      text: 'The merged files did not pass "npm test".',
      detail: 'It ended with 1.\nFAIL sum.test.ts > adds\n1 failed',
    });
  });

  test('several problems of one record can be distinguished', () => {
    const items = ['a', 'b'].map((id) => ({ id, kind: 'tool', name: id, status: 'failed' }));
    const problems = treeProblems(smallTree(turn('t1', 's'), { kind: 'activity.noted', task: 't1', items }));
    expect(problems).toHaveLength(2);
    expect(new Set(problems.map(({ key }) => key)).size).toBe(2);
  });

  test('runs that came out well have none that stand', () => {
    for (const name of ['demo', 'review', 'quest'] as const) expect(problemCount(recordedTree(name))).toBe(0);
  });
});
