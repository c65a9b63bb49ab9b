import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../record/fact.ts';
import type { Noted } from '../record/files-fact.ts';
import { foldRecords } from '../fold/fold.ts';
import { taskId, treeId } from '../model/ids.ts';
import { openEffects, recover } from './recover.ts';
import { stepEnd } from './step-end.ts';
import { literal } from '../testing/expressions.ts';
import { ask, command, definitionOf, end, fixed, pool, tell, to, work } from '../testing/definitions.ts';
import { call, failure, TestedRun } from '../testing/tested-run.ts';
import type { Work } from '../model/workflow.ts';

const doing = (what: Work, parts: Parameters<typeof definitionOf>[1] = {}) =>
  new TestedRun(
    definitionOf(
      [
        work('start', what, { transitions: [to('next')] }),
        work('next', command(), { transitions: [to('stop')] }),
        end(),
      ],
      parts,
    ),
  );

/** The kinds of the records at which the run can be resumed, in order. */
const ends = (records: readonly JournalRecord[]): readonly string[] => {
  const seqs = new Set(records.map(({ seq }) => stepEnd(records, seq)));
  return [...seqs].map((seq) => `${seq} ${records[seq - 1]?.fact.kind}`);
};

const noted = (tree: string, task: string | null): Noted => ({
  kind: 'files.changed',
  workspace: 'main',
  tree: treeId(tree),
  version: 2,
  base: treeId('tree-0'),
  why: task === null ? 'outside' : 'work',
  task: task === null ? null : taskId(task),
});

describe('[FO3] a run is resumed only at valid positions', () => {
  test('the first position is its start state; the last is the current one', () => {
    const run = doing(command());
    expect(stepEnd(run.records, 1)).toBe(2);
    expect(stepEnd(run.records, 3)).toBe(3);
    expect(stepEnd(run.records, 99)).toBe(run.records.length);
  });

  test('the consequences of an answer belong to it: no call is left undecided', () => {
    const run = doing(ask('coder'), { ask: ['web_fetch'], parsingTools: ['verdict'] });
    run.now += 1;
    run.says('t1', '', {
      toolCalls: [call('c1', 'web_fetch'), call('c2', 'grep'), call('c3', 'glob')],
      rejected: { c3: 'No pattern.' },
    });
    const answered = run.ofKind('call.answered').length;
    expect(answered).toBe(1);
    const seq = run.records.findIndex(({ fact }) => fact.kind === 'call.answered') + 1;
    const taken = foldRecords(run.records.slice(0, stepEnd(run.records, seq)));
    expect(openEffects(run.definition, taken)).toMatchObject([{ kind: 'tool.run', toolCall: { id: 'c2' } }]);
  });

  test('a permission that was refused is never taken up as one that was given', () => {
    const run = doing(ask('coder'), { ask: ['web_fetch'] });
    run.says('t1', '', { toolCalls: [call('c1', 'web_fetch')] });
    run.answers('permit/t1/c1', 'no');
    for (const { seq } of run.records) {
      const { effects } = recover(run.definition, foldRecords(run.records.slice(0, stepEnd(run.records, seq))), {
        epoch: 2,
        at: run.now,
      });
      expect(effects.some(({ kind }) => kind === 'tool.run')).toBe(false);
    }
  });

  test('a last try, and a message that ends at once, leave no work waiting', () => {
    const given = doing(ask('coder'), { retry: { tries: { server: 1 }, baseMs: 1, maxMs: 1 } });
    given.fails('t1', failure('server'));
    expect(ends(given.records)).toEqual(['2 state.entered', '3 task.started', `${given.records.length} run.settled`]);
    const sent = doing(tell('coder', literal('Mind that.')));
    expect(ends(sent.records)).toEqual(['2 state.entered', '6 state.entered', '7 task.started']);
  });

  test('events of one moment are still separate if only one of them can come first', () => {
    const run = doing(pool(fixed({ a: [], b: [] })));
    run.done('t2');
    run.pause();
    run.breaks('t3');
    expect(ends(run.records).slice(-4)).toEqual([
      '6 task.started',
      '7 task.ended',
      '8 run.paused',
      `${run.records.length} ${run.records.at(-1)?.fact.kind}`,
    ]);
  });

  test('files that were found changed belong to the work that ends next', () => {
    const run = doing(command());
    run.now += 5;
    run.send({ kind: 'world.noted', facts: [noted('tree-1', 't1'), noted('tree-2', 't1')] });
    run.now += 5;
    run.done('t1');
    expect(ends(run.records)).toEqual(['2 state.entered', '3 task.started', '7 state.entered', '8 task.started']);
  });

  test('unless the run was left there: then it is a position', () => {
    for (const between of ['run.paused', 'files']) {
      const run = doing(command());
      run.send({ kind: 'world.noted', facts: [noted('tree-1', 't1')] });
      const left = run.records.length;
      if (between === 'run.paused') run.pause();
      else run.send({ kind: 'world.noted', facts: [noted('tree-2', null)] });
      run.now += 5;
      run.done('t1');
      expect(stepEnd(run.records, left)).toBe(left);
    }
  });

  test('notes before a rollback are a position to return to, before any workspace was dropped', () => {
    const run = doing(command());
    run.now += 5;
    const gone = { kind: 'workspace.gone', workspace: 'coder', version: 3 } as const;
    run.send({ kind: 'world.noted', facts: [noted('by-hand', null), gone, noted('tree-0', null)] });
    const found = run.records.findIndex(({ fact }) => 'tree' in fact && fact.tree === 'by-hand') + 1;
    expect(stepEnd(run.records, found)).toBe(found);
  });

  test('whatever stopped work ended because of belongs to its end', () => {
    const run = doing(pool(fixed({ a: [], b: [] }), { join: { rule: 'first' } }));
    run.now += 5;
    run.done('t2');
    const first = run.records.findIndex(({ fact }) => fact.kind === 'task.ended') + 1;
    expect(run.records[stepEnd(run.records, first) - 1]?.fact).toMatchObject({
      kind: 'run.settled',
      outcome: 'partial',
    });
  });
});
