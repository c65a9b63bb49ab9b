import { openContext } from '../fold/context.ts';
import type { Draft } from '../fold/draft.ts';
import type { RunRedefined } from '../record/files-fact.ts';
import type { BodyHash } from '../model/ids.ts';
import type { Definition } from '../model/definition.ts';
import type { Snapshot, Task, Unit } from '../fold/snapshot.ts';
import type { ContextSpec, PoolWork, Workflow } from '../model/workflow.ts';

/**
 * Parts of a run in progress that a different definition has no place for, in sentences; none when the run can continue with
 * it. Only its current position counts: states it has left may be gone.
 */
export function misfits({ workflow, library }: Definition, snapshot: Snapshot): readonly string[] {
  const reasons = [
    ...stateMisfits(workflow, snapshot),
    ...inputMisfits(workflow, snapshot),
    ...Object.values(snapshot.tasks).flatMap((task) => taskMisfits(workflow, library, task)),
  ];
  return [...new Set(reasons)];
}

/** The fact that a run continues with a different definition, with everything new in it. */
export function redefinition(
  { workflow }: Definition,
  snapshot: Snapshot,
  change: { readonly hash: BodyHash; readonly by: string; readonly needs?: readonly string[] | undefined },
): RunRedefined {
  const contexts = workflow.contexts.filter((context) => isOther(snapshot, context));
  const data = Object.entries(workflow.data).filter(([name]) => !Object.hasOwn(snapshot.data, name));
  return {
    kind: 'run.redefined',
    definition: change.hash,
    by: change.by,
    ...(change.needs === undefined ? {} : { needs: change.needs }),
    ...(contexts.length === 0 ? {} : { contexts: contexts.map((context) => opened(snapshot, context)) }),
    ...(data.length === 0 ? {} : { data: Object.fromEntries(data) }),
  };
}

const isOther = ({ contexts }: Snapshot, { name, maxLength }: ContextSpec): boolean =>
  contexts[name]?.maxLength !== maxLength;

/** The messages of a conversation stay as they are. */
function opened({ contexts }: Snapshot, { name, startingMessages, maxLength }: ContextSpec) {
  return { name, messages: Object.hasOwn(contexts, name) ? [] : startingMessages, maxLength };
}

/** Folds it. Answers of the isolate belong to the old expressions, so they are requested again. */
export function redefine(now: Draft, { definition, contexts = [], data = {}, needs }: RunRedefined): void {
  now.definition = definition;
  if (needs !== undefined) now.needs = needs;
  now.current = { ...now.current, scripts: {} };
  now.data = { ...data, ...now.data };
  const changed = contexts.map((context) => {
    const known = now.contexts[context.name];
    return [context.name, known === undefined ? openContext(context) : { ...known, maxLength: context.maxLength }];
  });
  now.contexts = { ...now.contexts, ...(Object.fromEntries(changed) as Snapshot['contexts']) };
}

function stateMisfits({ states }: Workflow, { current, paused }: Snapshot): readonly string[] {
  // A limit was reached on the way into a state; the run enters it when a person raises the limit.
  const named = [current.state, paused?.limit === 'iterations' ? paused.state : current.state];
  const missing = [...new Set(named)].filter((name) => name !== '' && !Object.hasOwn(states, name));
  const reasons = missing.map((name) => `It stands in the state "${name}", which is no longer there.`);
  const isAtWork = current.task !== null && current.result === null;
  if (isAtWork && states[current.state]?.kind === 'end') {
    reasons.push(`It is at work in the state "${current.state}", which is an end now.`);
  }
  return reasons;
}

function inputMisfits({ inputs }: Workflow, { input }: Snapshot): readonly string[] {
  const missing = inputs.filter(({ name, required }) => required && !Object.hasOwn(input, name));
  return missing.map(({ name }) => `The input "${name}" is needed now, and the run was started without it.`);
}

function taskMisfits(workflow: Workflow, library: Definition['library'], task: Task): readonly string[] {
  const { work } = task;
  const reasons = speakerMisfits(workflow, task);
  if (work.kind === 'call' && !Object.hasOwn(library, work.workflow)) {
    reasons.push(`The workflow "${work.workflow}" is under way below it, and is no longer called.`);
  }
  if (task.pool !== null && !Object.hasOwn(workflow.states, task.state)) {
    reasons.push(`Work of the state "${task.state}" is under way, which is no longer there.`);
  }
  return work.kind === 'pool' ? [...reasons, ...poolMisfits(workflow, task)] : reasons;
}

function speakerMisfits({ agents, contexts }: Workflow, { work }: Task): string[] {
  const reasons: string[] = [];
  const agent = 'agent' in work ? work.agent : null;
  if (typeof agent === 'string' && agents.every(({ name }) => name !== agent)) {
    reasons.push(`The agent "${agent}" is at work, and is no longer there.`);
  }
  if ('context' in work && contexts.every(({ name }) => name !== work.context)) {
    reasons.push(`The conversation "${work.context}" is under way, and is no longer there.`);
  }
  return reasons;
}

function poolMisfits({ states }: Workflow, { state: name, units }: Task): readonly string[] {
  const state = states[name];
  if (state === undefined) return [];
  if (state.kind === 'end' || state.work.kind !== 'pool')
    return [`The state "${name}" works off a list, and is not a pool now.`];
  return unitMisfits(name, state.work, units?.flat() ?? []);
}

/** A pool takes its units when it starts: one that is added later would silently never run. */
function unitMisfits(state: string, { units }: PoolWork, begun: readonly Unit[]): readonly string[] {
  if (units.kind === 'items') return [];
  const [defined, known] = [units.list.map(({ id }) => id), begun.map(({ id }) => id)];
  const gone = begun.filter(({ id, status }) => status !== 'ended' && !defined.includes(id)).map(({ id }) => id);
  const added = defined.filter((id) => !known.includes(id));
  return [
    ...gone.map((id) => `The unit "${id}" of "${state}" is not over, and is no longer there.`),
    ...added.map((id) => `The unit "${id}" of "${state}" is new, and the pool has begun without it.`),
  ];
}
