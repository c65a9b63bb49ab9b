import { Fault, isFault } from '../../core/model/fault.ts';
import { childRunId, rootRunId, type RunId } from '../../core/model/ids.ts';
import { agentsRun } from '../../core/model/workspace-name.ts';
import { isRunBelow } from '../../core/fold/open-children.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Journal } from '../../journal/port.ts';
import type { Addressed } from '../port.ts';

/** Where the agents of a run are looked up. */
interface RunAgents {
  /** The run and the child runs open below it. */
  readonly open: readonly RunId[];
  readonly journal: Pick<Journal, 'read' | 'runs'>;
  readonly definition: (run: RunId) => Promise<Definition>;
  readonly snapshot: (run: RunId) => Promise<Snapshot>;
}

/** The agent that a person means, of the run or of an open one below it. AGENT_UNKNOWN, AGENT_AMBIGUOUS, RUN_SETTLED. */
export async function findAgent(run: RunId, name: string, agents: RunAgents): Promise<AddressedAgent> {
  try {
    return chosenAgent(run, await openAgents(run, agents), name);
  } catch (error) {
    // "Unknown" would confuse people who saw it at work.
    const isUnknown = isFault(error) && error.code === 'AGENT_UNKNOWN';
    throw (isUnknown ? await agentOver(run, name, agents) : null) ?? error;
  }
}

async function openAgents(run: RunId, { open, definition, snapshot }: RunAgents): Promise<readonly AddressedAgent[]> {
  const found = open.map(async (one) => {
    const [{ workflow }, now] = await Promise.all([definition(one), snapshot(one)]);
    const speaking = new Set(Object.values(now.tasks).map(({ work }) => (work.kind === 'turn' ? work.agent : null)));
    const here = workflow.agents.filter(({ name }) => isHere(now, name, open));
    return here.map(({ name }): AddressedAgent => ({
      run: one,
      agent: name,
      name: `${wayTo(agentsRun(now), run)}${name}`,
      isAtWork: speaking.has(name),
    }));
  });
  return (await Promise.all(found)).flat();
}

/** An agent whose turn a run below takes hears there what is said to it. */
function isHere({ apart, run, tasks }: Snapshot, agent: string, open: readonly RunId[]): boolean {
  if (apart !== null) return agent === apart.work.agent;
  return !Object.values(tasks).some(
    ({ id, work }) =>
      work.kind === 'turn' && work.agent === agent && isRunBelow(work) && open.includes(childRunId(run, id)),
  );
}

const wayTo = (one: RunId, run: RunId): string => (one.length <= run.length ? '' : `${one.slice(run.length + 1)}/`);

/** An agent of a run or of one below it. */
interface AddressedAgent extends Addressed {
  /** With the path to its run, as in `t3/coder`. */
  readonly name: string;
  /** It has a turn now. */
  readonly isAtWork: boolean;
}

/** The agent that is meant: by its full name, or by its own; then one of the run itself, or the only one, or the only one at work. */
function chosenAgent(run: RunId, agents: readonly AddressedAgent[], wantedName: string): AddressedAgent {
  const exact = agents.find(({ name }) => name === wantedName);
  if (exact !== undefined) return exact;
  const called = agents.filter(({ agent }) => agent === wantedName);
  const atWork = called.filter(({ isAtWork }) => isAtWork);
  const [found, other] = atWork.length === 0 ? called : atWork;
  if (found === undefined) throw agentUnknown(run, wantedName, agents);
  if (other === undefined) return found;
  throw new Fault('AGENT_AMBIGUOUS', `Run ${run} has ${called.length} agents called "${wantedName}".`, {
    hint: `Name the one that is meant: ${namesOf(called)}.`,
  });
}

export function agentUnknown(run: RunId, name: string, agents: readonly Pick<AddressedAgent, 'name'>[]): Fault {
  return new Fault('AGENT_UNKNOWN', `Run ${run} has no agent "${name}" now.`, {
    hint: agents.length === 0 ? 'It has no agents.' : `It has: ${namesOf(agents)}.`,
  });
}

const namesOf = (agents: readonly Pick<AddressedAgent, 'name'>[]): string =>
  [...new Set(agents.map(({ name }) => name))].join(', ');

/**
 * Why an agent cannot receive a message, if it belongs to a child run that has ended. Null if it never existed. RUN_SETTLED.
 */
async function agentOver(run: RunId, name: string, agents: RunAgents): Promise<Fault | null> {
  const found = await overWith(run, name, agents);
  if (found === null) return null;
  const state = await stateOf(run, found, agents);
  const at = state ?? 'STEP';
  return new Fault(
    'RUN_SETTLED',
    `The agent "${name}" belongs to run ${found}, which is over: no agent is left to receive it.`,
    {
      hint: `Continue from before that in a new run, and tell it there: troupe fork ${run} --at ${at}`,
    },
  );
}

/** The newest child run that has ended and has such an agent; by the full path to it, or by the agent's own name. */
async function overWith(run: RunId, name: string, agents: RunAgents): Promise<RunId | null> {
  const cut = name.lastIndexOf('/');
  const [way, agent] = [name.slice(0, Math.max(0, cut)), name.slice(cut + 1)];
  for (const one of await settledBelow(run, agents)) {
    if (way !== '' && one !== `${run}/${way}`) continue;
    const { workflow } = await agents.definition(one);
    if (workflow.agents.some(({ name }) => name === agent)) return one;
  }
  return null;
}

async function settledBelow(run: RunId, { journal }: RunAgents): Promise<readonly RunId[]> {
  const settled = await journal.runs({ root: rootRunId(run), status: 'settled' });
  return settled.map((info) => info.run).filter((below) => below.startsWith(`${run}/`));
}

/** The step of the run that led there. */
async function stateOf(run: RunId, below: RunId, { journal }: RunAgents): Promise<string | null> {
  const [task] = below.slice(run.length + 1).split('/');
  for (const { fact } of await journal.read(run))
    if (fact.kind === 'task.started' && fact.task === task) return fact.state;
  return null;
}

/** Only root runs can be forked, and only their own agents can receive a message from the start. */
export function forkHint(run: RunId, agent: string): string {
  const [root = run] = run.split('/');
  return root === run && !agent.includes('/')
    ? `No agent is left to receive it. Continue from an earlier step with: troupe fork ${run} --at STEP --tell '${agent}=…'`
    : `No agent is left to receive it. Continue from before that in a new run, and tell it there: troupe fork ${root} --at STEP`;
}
