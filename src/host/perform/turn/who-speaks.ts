import type { ActorCall } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { ResolvedWork } from '../../../core/record/task-fact.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { Role } from '../../../core/model/role.ts';
import type { Definition } from '../../../core/model/definition.ts';
import type { Task } from '../../../core/fold/snapshot.ts';
import type { TurnProgress } from '../../../core/fold/turn-state.ts';
import type { AgentSpec, ChangesDemand, TurnWork, UnitWork, Work, Workflow } from '../../../core/model/workflow.ts';
import type { EffectContext } from '../../world.ts';

/** The agent and turn that a call belongs to. */
export interface Speaker {
  readonly agent: AgentSpec;
  readonly role: Role;
  readonly task: Task;
  readonly turn: TurnProgress;
  readonly work: Extract<ResolvedWork, { kind: 'turn' }>;
  /** Some turn of the agent must change files, perhaps another one: its tools are the same in all of them (A5). */
  readonly hasToChange: boolean;
  /** It has a tool to state that no change is needed; otherwise it uses an argument of its reply. */
  readonly canDecline: boolean;
  /** The tree that its files are compared with, if it must change some. */
  readonly expected?: TreeId;
}

export function whoSpeaks(
  { definition, snapshot }: Pick<EffectContext, 'definition' | 'snapshot'>,
  effect: Pick<ActorCall, 'agent' | 'task'>,
): Speaker {
  const agent = definition.workflow.agents.find((one) => one.name === effect.agent);
  const role = agent === undefined ? undefined : definition.roles[agent.role];
  const task = snapshot.tasks[effect.task];
  if (agent === undefined || role === undefined || task === undefined) {
    throw new Fault('INTERNAL', `Agent ${effect.agent} cannot speak: its definition or task is missing.`);
  }
  if (task.turn === null || task.work.kind !== 'turn') throw new Fault('INTERNAL', `Task ${task.id} is not a turn.`);
  const { work, turn } = task;
  const spoken = { task, turn, work, ...owedBy(definition.workflow, agent, role) };
  if (work.model === undefined) return { agent, role, ...spoken };
  const { actor: _, ...rest } = agent;
  return { agent: rest, role: playedBy(role, work.model, definition), ...spoken };
}

function owedBy(workflow: Workflow, { name }: AgentSpec, { mode }: Role): Pick<Speaker, 'hasToChange' | 'canDecline'> {
  const demands = (mode ?? 'write') === 'write' ? (changesOf(workflow).get(name) ?? []) : [];
  return { hasToChange: demands.length > 0, canDecline: demands.some(({ unless }) => unless === undefined) };
}

type Demands = ReadonlyMap<string, readonly ChangesDemand[]>;

const demanded = new WeakMap<Workflow, Demands>();

/** By agent: the changes that it owes in some state. */
function changesOf(workflow: Workflow): Demands {
  const known = demanded.get(workflow);
  if (known !== undefined) return known;
  const works = Object.values(workflow.states).flatMap((state) => (state.kind === 'end' ? [] : turnsIn(state.work)));
  const byAgent = Map.groupBy(works, ({ agent }) => agent);
  const found = new Map(
    Array.from(byAgent, ([agent, turns]) => [agent, turns.flatMap(({ changes }) => changes ?? [])] as const),
  );
  demanded.set(workflow, found);
  return found;
}

function turnsIn(work: Work | UnitWork): readonly TurnWork[] {
  if (work.kind === 'turn') return [work];
  if (work.kind === 'choice') return Object.values(work.cases).flatMap(turnsIn);
  if (work.kind !== 'pool') return [];
  return work.units.kind === 'items' ? turnsIn(work.units.work) : work.units.list.flatMap((unit) => turnsIn(unit.work));
}

/** Created once each, so that caches by role work. */
const played = new WeakMap<Role, Map<string, Role>>();

/** The role as played by the model, the level or the client of this name. */
function playedBy(role: Role, name: string, { chosen }: Definition): Role {
  const known = played.get(role) ?? new Map<string, Role>();
  played.set(role, known);
  const made = known.get(name) ?? cast(role, name, chosen?.models?.[name]);
  known.set(name, made);
  return made;
}

function cast(given: Role, name: string, chosen: string | undefined): Role {
  const { actor: _, ...role } = given;
  if (ACTOR.test(name)) return { ...role, actor: name };
  return { ...role, level: chosen === undefined ? name : `${name}=${chosen}` };
}

/** Names that are no model of a configuration. */
const ACTOR = /^(?:claude-code|codex|scripted|model|acp:.+)$/;
