import type { Fact } from '../../../src/core/record/fact.ts';
import { takeLines, type RunTree } from '../run-tree.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';
import { entered, smallTree, turn } from './small-run.ts';

const OK = { outcome: 'ok', output: null, failure: null };
const ended = { kind: 'task.ended', task: 't1', ...OK };
const work = { kind: 'turn', agent: 'ada', context: 'talk', input: 'Go.' };

/** A run whose agent has a turn that a run below takes; with `isOver`, both have ended. */
export function apartTree(isOver: boolean): RunTree {
  const apart = { state: 's', visit: 1, work };
  const answered = {
    kind: 'call.answered',
    task: 't1',
    call: 1,
    attempt: 1,
    message: { author: 'ada', role: 'assistant', content: 'Hi.' },
    usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
    costUsd: 1,
    model: 'smart',
    ms: 1,
  };
  const end = isOver ? [answered, ended, { kind: 'run.settled', ...OK }] : [];
  const below = [{ ...startedRun('r/t1'), apart }, entered('s', 1), turn('t1', 's', { work }), ...end];
  const above = [entered('s', 1), turn('t1', 's', { work: { ...work, apart: true } }), ...(isOver ? [ended] : [])];
  const lines = below.map((fact, index) => ({
    run: 'r/t1',
    record: { seq: index + 1, at: (index + 3) * 1000, fact: fact as Fact, commit: index + 10 },
  }));
  return takeLines(smallTree(...above), lines).tree;
}
