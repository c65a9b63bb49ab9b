import { calledWorkflows } from '../../core/check/call-graph.ts';
import { isRunBelow } from '../../core/fold/open-children.ts';
import { childRunId, type RunId, type TaskId } from '../../core/model/ids.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { isToolAtWork } from '../../core/step/turn/permit.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot, Task } from '../../core/fold/snapshot.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { Outcome } from '../../core/model/outcome.ts';
import type { AgentRecord } from '../history/agents.ts';
import { isoTime } from '../history/run-record.ts';
import type { AgentState } from './workflow-state.ts';

export interface AgentSources {
  readonly root: RunId;
  readonly agentsIn: ReadonlyMap<RunId, readonly AgentRecord[]>;
  readonly snapshots: ReadonlyMap<RunId, Snapshot>;
  /** By hash, as far as they are known. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The runs that are under way. */
  readonly live: ReadonlySet<RunId>;
}

/** The agents that had a turn, then those that were not needed yet. */
export function agentStates(sources: AgentSources): readonly { readonly run: RunId; readonly state: AgentState }[] {
  const counts = new Map<string, number>();
  const spawned = inOrder(sources).map((agent) => {
    const count = (counts.get(agent.agent) ?? 0) + 1;
    counts.set(agent.agent, count);
    const id = count === 1 ? agent.agent : `${agent.agent}#${count}`;
    return { run: agent.run, state: stateOf(sources, agent, id) };
  });
  const idle = declared(sources).filter(({ agent }) => !counts.has(agent));
  return [...spawned, ...idle.map((state) => ({ run: sources.root, state }))];
}

interface KnownAgent extends AgentRecord {
  readonly run: RunId;
}

/** As they began. */
const inOrder = ({ agentsIn }: AgentSources): readonly KnownAgent[] =>
  [...agentsIn]
    .flatMap(([run, agents]) => agents.map((agent) => ({ run, ...agent })))
    .toSorted((one, other) => one.firstAt - other.firstAt);

function stateOf(sources: AgentSources, agent: KnownAgent, id: string): AgentState {
  const { run, agent: name } = agent;
  const open = sources.live.has(run) ? openTurn(sources, agent) : undefined;
  const workflow = workflowOf(sources, run);
  return {
    agent_id: id,
    agent_type: typeIn(workflow, name),
    ...(open === undefined ? atRest(agent) : atWork(open, wayDown(sources.root, `${run}/${open.id}`))),
    artifacts_produced: [...agent.artifacts],
    tools_used: [...agent.toolNames],
    started_at: isoTime(agent.firstAt),
    metadata: metadataOf(agent, workflow, open),
    progress: agent.progress?.progress ?? null,
    progress_message: agent.progress?.message ?? null,
    agent: name,
  };
}

/** Its last task, with the turn as it is in the run that takes it. */
function openTurn({ snapshots }: AgentSources, { run, tasks }: KnownAgent): Task | undefined {
  const task = snapshots.get(run)?.tasks[tasks.at(-1) as TaskId];
  if (task === undefined || !isRunBelow(task.work)) return task;
  const below = Object.values(snapshots.get(childRunId(run, task.id))?.tasks ?? {});
  return { ...task, turn: below[0]?.turn ?? null };
}

const wayDown = (root: string, task: string): string =>
  task.startsWith(`${root}/`) ? task.slice(root.length + 1) : task;

type Doing = Pick<AgentState, 'status' | 'current_task' | 'duration'>;

const atRest = ({ outcome, isMissing, ms }: KnownAgent): Doing => ({
  status: isMissing ? 'error' : outcome === null ? 'idle' : GOOD.has(outcome) ? 'success' : 'error',
  current_task: null,
  duration: ms === null ? null : ms / 1000,
});

const GOOD: ReadonlySet<Outcome> = new Set(['ok', 'partial']);

const atWork = (task: Task, name: string): Doing => ({
  status: waitsFor(task) === null ? 'running' : 'idle',
  current_task: name,
  duration: null,
});

/** An agent that waits for a person or a quota does nothing; one of whose tools is at work does. */
function waitsFor({ turn }: Task): string | null {
  if (turn === null || isToolAtWork(turn)) return null;
  if (turn.asking.length > 0 || turn.asked?.some(({ isAllowed }) => isAllowed === null) === true) return 'person';
  return turn.phase === 'waiting' && (turn.quotaWaits ?? 0) > 0 ? 'quota' : null;
}

function metadataOf(agent: KnownAgent, workflow: Workflow | undefined, open: Task | undefined): JsonObject {
  const { run, tasks, models, usage, costUsd, code } = agent;
  const waits = open === undefined ? null : waitsFor(open);
  return {
    run,
    ...(workflow === undefined ? {} : { workflow: workflow.name }),
    turns: tasks.length,
    calls: usage.calls,
    models: [...models],
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: costUsd,
    ...(code === null ? {} : { error: code }),
    ...(waits === null ? {} : { waits_for: waits }),
  };
}

function workflowOf({ snapshots, definitions }: AgentSources, run: RunId): Workflow | undefined {
  return definitions.get(snapshots.get(run)?.definition ?? '')?.workflow;
}

/** A role that was made from another for one workflow is of that one's type. */
function typeIn(workflow: Workflow | undefined, agent: string): string {
  const role = workflow?.agents.find(({ name }) => name === agent)?.role ?? agent;
  return workflow?.casts?.[role]?.of ?? role;
}

/** All that the run's workflow and those it may call name. */
function declared({ root, snapshots, definitions }: AgentSources): readonly AgentState[] {
  const definition = definitions.get(snapshots.get(root)?.definition ?? '');
  if (definition === undefined) return [];
  const { workflow, library } = definition;
  const found = calledWorkflows(workflow, new Map(Object.entries(library))).flatMap((one) =>
    one.agents.map(({ name }): [string, AgentState] => [name, notBegun(one, name)]),
  );
  return [...new Map(found.toReversed()).values()].toReversed();
}

const notBegun = (workflow: Workflow, name: string): AgentState => ({
  agent_id: name,
  agent_type: typeIn(workflow, name),
  status: 'idle',
  current_task: null,
  artifacts_produced: [],
  tools_used: [],
  started_at: null,
  duration: null,
  metadata: { workflow: workflow.name },
  progress: null,
  progress_message: null,
  agent: name,
});
