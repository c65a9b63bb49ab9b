import { foldRecords } from '../../../src/core/fold/fold.ts';
import type { Json } from '../../../src/core/model/json.ts';
import { openEffects } from '../../../src/core/step/recover.ts';
import type { Definition } from '../../../src/core/model/definition.ts';
import type { StoredRecord } from '../../../src/journal/port.ts';
import { numberIn } from './reservations.ts';
import { ROOT, type ClusterResult } from './simulate-cluster.ts';

/** What a tree of runs comes to that nothing went wrong with. */
export interface Expected {
  readonly output: Json;
  readonly runs: number;
  readonly calls: number;
  /** Calls that the root has heard of. */
  readonly counted: number;
}

/** Everything that a cluster promises and this one broke. */
export async function judge(
  result: ClusterResult,
  definition: Definition,
  expected: Expected,
): Promise<readonly string[]> {
  const { journal, repeated, broken, isSettled } = result;
  const problems = broken.map((error) => `a process broke: ${String(error)}`);
  if (repeated.length > 0) problems.push(`done again: ${repeated.join(', ')}`);
  if (!isSettled) return [...problems, `waits for ever: ${await standing(result)}`];
  for (const { run } of await journal.runs({ root: ROOT }))
    problems.push(...problemsOf(await journal.read(run), definition));
  const numbers = (await journal.tree(ROOT)).flatMap(({ fact }) => numberIn(fact));
  if (new Set(numbers).size < numbers.length) problems.push(`counted ${numbers.join()}`);
  const found = await outcomeOf(result);
  if (JSON.stringify(found) !== JSON.stringify(expected)) problems.push(`came to ${JSON.stringify(found)}`);
  return problems;
}

export async function outcomeOf({ journal }: ClusterResult): Promise<Expected> {
  const { result, usage } = foldRecords(await journal.read(ROOT));
  const records = await journal.tree(ROOT);
  const calls = records.filter(({ fact }) => fact.kind === 'call.answered').length;
  const runs = new Set(records.map(({ run }) => run)).size;
  return { output: result?.output ?? null, runs, calls, counted: usage.calls };
}

function problemsOf(records: readonly StoredRecord[], definition: Definition): readonly string[] {
  const problems: string[] = [];
  const snapshot = foldRecords(records);
  const count = (kind: string): number => records.filter(({ fact }) => fact.kind === kind).length;
  if (count('run.settled') !== 1) problems.push(`${snapshot.run} settled ${count('run.settled')} times`);
  if (records.some(({ seq }, index) => seq !== index + 1)) problems.push(`${snapshot.run} has a gap`);
  if (records.some(({ commit }, index) => commit < (records[index - 1]?.commit ?? 0)))
    problems.push(`${snapshot.run} is out of order`);
  const answered = records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [`${fact.task}/${fact.call}`] : []));
  if (new Set(answered).size < answered.length) problems.push(`${snapshot.run} was answered twice`);
  const ended = records.flatMap(({ fact }) => (fact.kind === 'task.ended' ? [fact.task] : []));
  if (new Set(ended).size < ended.length) problems.push(`a task of ${snapshot.run} ended twice`);
  if (openEffects(definition, snapshot).length > 0) problems.push(`${snapshot.run} left work open`);
  return problems;
}

async function standing({ journal }: ClusterResult): Promise<string> {
  const open = (await journal.runs()).filter(({ status }) => status !== 'settled');
  return open.map(({ run, status, driven }) => `${run} ${status}${driven ? '' : ' undriven'}`).join(', ');
}
