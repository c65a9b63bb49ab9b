import type { Fact } from '../../src/core/record/fact.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';

/** Goes through a journal like a bookkeeper: what went in once must come out once. Says what is wrong, or null. */
export function accountFor(facts: readonly Fact[], snapshot: Snapshot): string | null {
  return twiceAnswered(facts) ?? lostTask(facts, snapshot) ?? lostUnit(facts);
}

function twiceAnswered(facts: readonly Fact[]): string | null {
  const seen = new Set<string>();
  for (const fact of facts) {
    const key = answerKey(fact);
    if (key === null) continue;
    if (seen.has(key)) return `${key} happened twice`;
    seen.add(key);
  }
  return null;
}

function answerKey(fact: Fact): string | null {
  switch (fact.kind) {
    case 'call.answered':
      return `answer of ${fact.task} ${fact.call}`;
    case 'call.failed':
      return `failure of ${fact.task} ${fact.call} ${fact.attempt}`;
    case 'tool.finished':
      return `result of ${fact.task} ${fact.toolCall}`;
    case 'script.evaluated':
      return `value of ${fact.key}`;
    case 'task.started':
      return `start of ${fact.task}`;
    case 'task.ended':
      return `end of ${fact.task}`;
    case 'unit.ended':
      return `end of unit ${fact.task} ${fact.unit}`;
    case 'run.settled':
      return 'the end of the run';
    default:
      return null;
  }
}

function lostTask(facts: readonly Fact[], snapshot: Snapshot): string | null {
  const ended = new Set(facts.flatMap((fact) => (fact.kind === 'task.ended' ? [fact.task] : [])));
  for (const fact of facts) {
    if (fact.kind !== 'task.started') continue;
    if (!ended.has(fact.task) && snapshot.tasks[fact.task] === undefined) return `task ${fact.task} vanished`;
    if (!ended.has(fact.task) && snapshot.status === 'settled') return `task ${fact.task} is open in a settled run`;
  }
  return null;
}

/** When a pool has ended, each of its units has ended, once: by its task or without one. */
function lostUnit(facts: readonly Fact[]): string | null {
  for (const pool of facts.filter((fact) => fact.kind === 'task.started' && fact.work.kind === 'pool')) {
    if (pool.kind !== 'task.started') continue;
    const end = facts.findIndex((fact) => fact.kind === 'task.ended' && fact.task === pool.task);
    if (end < 0) continue;
    const before = facts.slice(0, end);
    const tasks = new Map(
      before.flatMap((fact) =>
        fact.kind === 'task.started' && fact.pool === pool.task ? [[fact.task, fact.unit] as const] : [],
      ),
    );
    const out = before.flatMap((fact) => {
      if (fact.kind === 'unit.ended' && fact.task === pool.task) return [fact.unit];
      return fact.kind === 'task.ended' && tasks.has(fact.task) ? [tasks.get(fact.task) ?? ''] : [];
    });
    const into = before.flatMap((fact) =>
      fact.kind === 'units.added' && fact.task === pool.task ? fact.units.map((unit) => unit.id) : [],
    );
    if (into.toSorted().join() !== out.toSorted().join())
      return `pool ${pool.task} took in ${into.join()} and gave out ${out.join()}`;
    const reported = (facts[end] as { output?: { units?: readonly { id: string; outcome: string | null }[] } }).output
      ?.units;
    if (reported?.map((unit) => unit.id).join() !== into.join())
      return `pool ${pool.task} does not tell about all its units`;
    if (reported.some((unit) => unit.outcome === null)) return `pool ${pool.task} has a unit without an outcome`;
  }
  return null;
}
