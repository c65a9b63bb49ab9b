import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import type { Journal } from '../../journal/port.ts';

export interface FormerAgents {
  readonly journal: Pick<Journal, 'read' | 'runs'>;
  definition(run: RunId): Promise<Definition>;
}

/**
 * Why an agent that nobody knows now cannot be told anything, where it belongs to a run below that is over. Null where there
 * never was one. RUN_SETTLED.
 */
export async function agentOver(run: RunId, wanted: string, world: FormerAgents): Promise<Fault | null> {
  const found = await overWith(run, wanted, world);
  if (found === null) return null;
  const state = await stateOf(run, found, world);
  const at = state ?? 'STEP';
  return new Fault(
    'RUN_SETTLED',
    `The agent "${wanted}" belongs to run ${found}, which is over: nobody is left to hear it.`,
    {
      hint: `Go on from before that in a new run, and tell it there: troupe fork ${run} --at ${at}`,
    },
  );
}

/** The newest run below that is over and has such an agent; by the whole way to it, or by the agent's own name. */
async function overWith(run: RunId, wanted: string, world: FormerAgents): Promise<RunId | null> {
  const cut = wanted.lastIndexOf('/');
  const [way, agent] = [wanted.slice(0, Math.max(0, cut)), wanted.slice(cut + 1)];
  for (const one of await settledBelow(run, world)) {
    if (way !== '' && one !== `${run}/${way}`) continue;
    const { workflow } = await world.definition(one);
    if (workflow.agents.some(({ name }) => name === agent)) return one;
  }
  return null;
}

async function settledBelow(run: RunId, { journal }: FormerAgents): Promise<readonly RunId[]> {
  const below = [...(await journal.runs({ parent: run }))];
  for (const info of below) below.push(...(await journal.runs({ parent: info.run })));
  const settled = below.filter((info) => info.status === 'settled');
  return settled.toSorted((a, b) => b.at - a.at).map((info) => info.run);
}

/** The step of the run that began what led there. */
async function stateOf(run: RunId, below: RunId, { journal }: FormerAgents): Promise<string | null> {
  const [task] = below.slice(run.length + 1).split('/');
  for (const { fact } of await journal.read(run))
    if (fact.kind === 'task.started' && fact.task === task) return fact.state;
  return null;
}
