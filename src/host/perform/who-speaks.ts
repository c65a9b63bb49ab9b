import type { ActorCall } from '../../core/effect.ts';
import { Fault } from '../../core/fault.ts';
import type { ResolvedWork } from '../../core/fact.ts';
import type { TreeId } from '../../core/ids.ts';
import type { Definition, Role } from '../../core/role.ts';
import type { Task, TurnProgress } from '../../core/snapshot.ts';
import type { AgentSpec, TurnWork, UnitWork, Work, Workflow } from '../../core/workflow.ts';
import type { Performance } from './performance.ts';

/** Whose turn a call belongs to. */
export interface Speaker {
  readonly agent: AgentSpec;
  readonly role: Role;
  readonly task: Task;
  readonly turn: TurnProgress;
  readonly work: Extract<ResolvedWork, { kind: 'turn' }>;
  /** Some turn of the agent has to change files, perhaps another one: its tools are the same in all of them (A5). */
  readonly hasToChange: boolean;
  /** The tree that its files are compared with, where it has to change some. */
  readonly expected?: TreeId;
}

export function whoSpeaks(
  { definition, snapshot }: Pick<Performance, 'definition' | 'snapshot'>,
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
  const hasToChange = changersOf(definition.workflow).has(agent.name) && (role.mode ?? 'write') === 'write';
  if (work.model === undefined) return { agent, role, task, turn, work, hasToChange };
  const { actor: _, ...rest } = agent;
  return { agent: rest, role: playedBy(role, work.model, definition), task, turn, work, hasToChange };
}

const changers = new WeakMap<Workflow, ReadonlySet<string>>();

/** The agents that have to change files in some state. */
function changersOf(workflow: Workflow): ReadonlySet<string> {
  const known = changers.get(workflow);
  if (known !== undefined) return known;
  const works = Object.values(workflow.states).flatMap((state) => (state.kind === 'end' ? [] : turnsIn(state.work)));
  const found = new Set(works.flatMap(({ agent, changes }) => (changes === undefined ? [] : [agent])));
  changers.set(workflow, found);
  return found;
}

function turnsIn(work: Work | UnitWork): readonly TurnWork[] {
  if (work.kind === 'turn') return [work];
  if (work.kind === 'choice') return Object.values(work.cases).flatMap(turnsIn);
  if (work.kind !== 'pool') return [];
  return work.units.kind === 'items' ? turnsIn(work.units.work) : work.units.list.flatMap((unit) => turnsIn(unit.work));
}

/** Made once for each, so that what is kept by role is found again. */
const played = new WeakMap<Role, Map<string, Role>>();

/** The role as the model, the level or the client of this name plays it. */
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
