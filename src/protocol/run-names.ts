import type { Fact } from '../core/record/fact.ts';
import type { CallAnswered } from '../core/record/call-fact.ts';
import type { TaskStarted } from '../core/record/task-fact.ts';
import { childRunId, runId, type TaskId } from '../core/model/ids.ts';
import { isJsonObject } from '../core/model/json.ts';
import { isRunBelow, SUB_AGENT_TOOL, subAgentId } from '../core/fold/open-children.ts';
import { unitName } from './unit-name.ts';

/**
 * Names for the runs below the one shown: by the agent that started it and its purpose, as in `lead › helper#2`. Learnt from
 * the records of the runs above, which come first.
 */
export class RunNames {
  readonly #names = new Map<string, OwnName>();
  readonly #known = new Map<string, Known>();

  /** The runs that this record starts, or may start. */
  learn(run: string, fact: Fact): readonly string[] {
    if (fact.kind === 'task.started') return this.#startTask(run, fact);
    if (fact.kind === 'call.answered') return this.#startSubAgents(run, fact);
    if (fact.kind === 'units.added')
      for (const unit of fact.units) this.#of(run).units.set(`${fact.task} ${unit.id}`, unitName(unit));
    if (fact.kind === 'run.rewound' && fact.state !== null) this.#of(run).rewinds += 1;
    return [];
  }

  /** The child runs that end with this record. */
  ended(run: string, fact: Fact): readonly string[] {
    if (fact.kind === 'task.ended') return [childRunId(runId(run), fact.task)];
    if (fact.kind !== 'tool.finished') return [];
    const child = this.#of(run).subAgents.get(`${fact.task} ${fact.toolCall}`);
    return child === undefined ? [] : [child];
  }

  /** The path from `root`; null for the root itself and for unknown runs. */
  of(root: string, run: string): RunName | null {
    if (run === root || !run.startsWith(`${root}/`)) return null;
    const own = this.#names.get(run) ?? { text: run.slice(run.lastIndexOf('/') + 1), by: null, subAgent: null };
    const above = this.of(root, run.slice(0, run.lastIndexOf('/')));
    const starter = own.by === null ? (above?.text ?? null) : inside(above, own.by);
    return { text: starter === null ? own.text : `${starter}${STEP}${own.text}`, subAgent: own.subAgent };
  }

  /** Names a unit of a pool by its item. */
  unit(run: string, { pool, unit }: Pick<TaskStarted, 'pool' | 'unit'>): string | null {
    return unit === null ? null : (this.#of(run).units.get(`${pool} ${unit}`) ?? unit);
  }

  #of(run: string): Known {
    const known = this.#known.get(run) ?? {
      agents: new Map(),
      started: new Map(),
      subAgents: new Map(),
      units: new Map(),
      rewinds: 0,
    };
    this.#known.set(run, known);
    return known;
  }

  #startTask(run: string, started: TaskStarted): readonly string[] {
    const { task, work, state } = started;
    if (work.kind === 'turn') this.#of(run).agents.set(task, work.agent);
    const text = this.unit(run, started) ?? (work.kind === 'turn' ? work.agent : state);
    return isRunBelow(work) ? [this.#name(run, task, { text, by: null, subAgent: null })] : [];
  }

  #startSubAgents(run: string, { task, call, message }: CallAnswered): readonly string[] {
    const { agents, started, rewinds } = this.#of(run);
    const agent = agents.get(task) ?? message.author;
    return (message.toolCalls ?? []).flatMap((toolCall, index) => {
      if (toolCall.name !== SUB_AGENT_TOOL) return [];
      const role = roleIn(toolCall.arguments) ?? agent;
      const number = (started.get(role) ?? 0) + 1;
      started.set(role, number);
      const name = { text: `${role}#${number}`, by: agent, subAgent: role };
      const child = this.#name(run, subAgentId({ task, call, index, rewinds }), name);
      this.#of(run).subAgents.set(`${task} ${toolCall.id}`, child);
      return [child];
    });
  }

  #name(run: string, task: TaskId, name: OwnName): string {
    const child = childRunId(runId(run), task);
    this.#names.set(child, name);
    return child;
  }
}

/** The name of an agent in such a run: a sub-agent is alone in its own. */
export function inside(name: RunName | null, who: string): string {
  if (name === null) return who;
  const isSame = who === name.subAgent || who === 'troupe' || name.text.split(STEP).at(-1) === who;
  return isSame ? name.text : `${name.text}${STEP}${who}`;
}

export interface RunName {
  readonly text: string;
  /** The role of a sub-agent; null for a workflow that was called. */
  readonly subAgent: string | null;
}

interface OwnName extends RunName {
  /** The agent that started it. */
  readonly by: string | null;
}

interface Known {
  readonly agents: Map<string, string>;
  /** How many sub-agents of a role there were. */
  readonly started: Map<string, number>;
  /** The runs of sub-agents, by task and call of the tool that started them. */
  readonly subAgents: Map<string, string>;
  /** The names of units, by pool and id. */
  readonly units: Map<string, string>;
  rewinds: number;
}

export const STEP = ' › ';

const roleIn = (given: unknown): string | null =>
  isJsonObject(given) && typeof given['role'] === 'string' && given['role'] !== '' ? given['role'] : null;
