import { addSpent } from '../../core/fold/tree-cost.ts';
import type { AgentRecord, ClientRecord } from './agents.ts';

/** The agents of one run. */
export interface RunAgents {
  readonly agents: readonly AgentRecord[];
  /** The run is a turn of the run above. */
  readonly isApart: boolean;
}

/** The agents of each run. What runs below did in the turns of an agent belongs to it, in the run that it is an agent of. */
export function withTurnsBelow<Run extends string>(
  runs: ReadonlyMap<Run, RunAgents>,
): ReadonlyMap<Run, readonly AgentRecord[]> {
  const turns: ReadonlyMap<string, RunAgents> = runs;
  const isTurnOf = (run: string): boolean => turns.get(run)?.isApart === true && turns.has(above(run));
  return new Map(
    [...runs].flatMap(([run, { agents }]): readonly [Run, readonly AgentRecord[]][] =>
      isTurnOf(run) ? [] : [[run, agents.map((agent) => together(agent, (turn) => turns.get(`${run}/${turn}`)))]],
    ),
  );
}

const above = (run: string): string => run.slice(0, run.lastIndexOf('/'));

/** Its turns, and how they came out, are those of the run above. */
function together(agent: AgentRecord, runOf: (turn: string) => RunAgents | undefined): AgentRecord {
  return agent.tasks.reduce((sum, turn) => {
    const run = runOf(turn);
    const below = run?.isApart === true ? run.agents.find((one) => one.agent === agent.agent) : undefined;
    return below === undefined ? sum : added(sum, below, turn === agent.tasks.at(-1));
  }, agent);
}

const added = (sum: AgentRecord, turn: AgentRecord, isLast: boolean): AgentRecord => ({
  ...sum,
  ...addSpent(sum, turn),
  lastAt: Math.max(sum.lastAt, turn.lastAt),
  models: union(sum.models, turn.models),
  tools: sum.tools + turn.tools,
  toolNames: union(sum.toolNames, turn.toolNames),
  artifacts: union(sum.artifacts, turn.artifacts),
  progress: isLast ? (turn.progress ?? sum.progress) : sum.progress,
  actor: turn.actor ?? sum.actor,
  client: turn.client === null ? sum.client : withClient(sum.client, turn.client),
  minions: [...sum.minions, ...turn.minions],
});

const withClient = (sum: ClientRecord | null, turn: ClientRecord): ClientRecord =>
  sum === null
    ? turn
    : {
        session: turn.session,
        turns: [...sum.turns, ...turn.turns],
        tools: sum.tools + turn.tools,
        denials: [...sum.denials, ...turn.denials],
        retries: sum.retries + turn.retries,
        waitsUntil: turn.waitsUntil ?? sum.waitsUntil,
      };

const union = (one: readonly string[], other: readonly string[]): readonly string[] => [...new Set([...one, ...other])];
