import type { AgentView, MinionView } from '../../protocol/agent-view.ts';
import { clockTime } from './agent-story.ts';
import { counted, tokens } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { durationText } from '../../core/look/amount-text.ts';
import type { PhaseState, ShownAgent, WorkflowState } from '../../protocol/workflow-state/workflow-state.ts';

/** Agents that are programs, a line each, with their sub-agents below; name and value of each line. */
export function agentFields(agents: readonly AgentView[], now: number): readonly (readonly [string, string])[] {
  return agents.flatMap((agent) => [
    ['agent', agentText(agent)] as const,
    ...agent.denials.slice(0, MOST_LINES).map((denial) => ['', oneLine(`not allowed: ${denial}`, 200)] as const),
    ...minionLines(agent.minions),
    ...(agent.waitsUntil === undefined
      ? []
      : [['', `waits for quota until ${clockTime(agent.waitsUntil, now)}`] as const]),
  ]);
}

/** Other agents have no session. */
export const isClientView = (agent: Partial<AgentView>): agent is AgentView => agent.session !== undefined;

const MOST_LINES = 12;

function agentText({ agent, actor, session, turns, tools, retries }: AgentView): string {
  const parts = [
    `${agent}: ${actor}, session ${session}`,
    counted(turns, 'turn'),
    ...(tools === 0 ? [] : [counted(tools, 'tool')]),
    ...(retries === 0 ? [] : [`${counted(retries, 'call')} made again`]),
  ];
  return oneLine(parts.join(', '), 300);
}

function minionLines(minions: readonly MinionView[]): readonly (readonly [string, string])[] {
  const shown = minions.slice(0, MOST_LINES);
  const more = minions.length - shown.length;
  return [
    ...shown.map((minion) => ['', `${'  '.repeat(depthOf(minion, minions))}└ ${minionText(minion)}`] as const),
    ...(more > 0 ? [['', `└ and ${more} more`] as const] : []),
  ];
}

function minionText({ name, status, text, usage, tools }: MinionView): string {
  const about = text === undefined || text === '' ? name : `${name}: ${text}`;
  const parts = [
    status,
    ...(usage === undefined ? [] : [tokens(usage)]),
    ...(tools === 0 ? [] : [counted(tools, 'tool')]),
  ];
  return oneLine(`${about} (${parts.join(', ')})`, 200);
}

const DEEPEST = 4;

/** A client chooses the ids; they need not form a tree. */
function depthOf({ parent }: MinionView, all: readonly MinionView[]): number {
  let depth = 0;
  for (let id = parent; id !== undefined && depth < DEEPEST; id = all.find((one) => one.id === id)?.parent) depth += 1;
  return depth;
}

type Field = readonly [name: string, value: string];

const MOST_PHASES = 30;
const MOST_OUTPUTS = 4;

/** The phases of a run, a line each, with what they made; then how far its agents say they are. Name and value of each line. */
export function phaseFields(
  run: string,
  state: WorkflowState | undefined,
  agents: readonly Partial<ShownAgent>[],
): readonly Field[] {
  if (state === undefined) return [];
  const { phases, artifacts_created: made } = state;
  return [
    ...rollbackFields(state),
    ...(isWorthShowing(phases) ? phaseLines(phases, isStill(state)) : []),
    ...(made.length === 0 ? [] : [['artifacts', `${made.length}; see them with: troupe artifacts ${run}`] as const]),
    ...agents.flatMap(progressFields),
  ];
}

function rollbackFields({ status }: WorkflowState): readonly Field[] {
  if (status === 'failed_final') return [['rollback', 'its files were put back to what they were before it']];
  return status === 'rollback' ? [['rollback', 'its files are put back; it has not gone on since']] : [];
}

/** Phases that only mirror the states are shown already. */
const isWorthShowing = (phases: readonly PhaseState[]): boolean =>
  phases.some(({ phase, state, outputs }) => phase !== state || outputs.length > 0);

/** No agent works on it: it is over, or paused. */
const isStill = ({ completed_at, metadata }: WorkflowState): boolean =>
  completed_at !== null || metadata['paused'] !== undefined;

function phaseLines(phases: readonly PhaseState[], isStopped: boolean): readonly Field[] {
  const shown = phases.slice(0, MOST_PHASES);
  const width = Math.min(24, Math.max(...shown.map(({ phase }) => phase.length)));
  const more = phases.length - shown.length;
  return [
    ...shown.map((phase): Field => [
      'phase',
      `${oneLine(phase.phase, 24).padEnd(width)}  ${phaseText(phase, isStopped)}`,
    ]),
    ...(more > 0 ? [['phase', `and ${more} more`] as const] : []),
  ];
}

function phaseText(phase: PhaseState, isStopped: boolean): string {
  const { outcome, reason, duration, times, record, outputs } = phase;
  const parts = [
    standing(phase, isStopped),
    ...(duration === null || outcome === 'skipped' ? [] : [durationText(duration * 1000)]),
    ...(times > 1 ? [counted(times, 'time')] : []),
    ...(outputs.length === 0 ? [] : [outputsText(outputs)]),
    ...(record === null ? [] : [`record ${record}`]),
    ...(reason === null || outcome === 'ok' ? [] : [reason]),
  ];
  return oneLine(parts.join(', '), 300);
}

function standing({ status, outcome, started_at }: PhaseState, isStopped: boolean): string {
  if (status === 'ended') return outcome ?? 'ended';
  if (status === 'pending' || started_at === null) return isStopped ? 'not begun' : 'waits';
  return isStopped ? 'stopped' : `running since ${new Date(started_at).toTimeString().slice(0, 8)}`;
}

function outputsText(outputs: readonly string[]): string {
  const more = outputs.length - MOST_OUTPUTS;
  return `${outputs.slice(0, MOST_OUTPUTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Its own word, while it is at it. */
function progressFields({ agent_id, status, progress, progress_message }: Partial<ShownAgent>): readonly Field[] {
  if (agent_id === undefined || progress === undefined || progress === null) return [];
  if (status === 'success' || status === 'error') return [];
  const words = progress_message === null || progress_message === '' ? '' : `, ${progress_message}`;
  return [['progress', oneLine(`${agent_id}: ${Math.round(progress * 100)} %${words}`, 200)]];
}
