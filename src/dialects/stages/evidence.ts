import type { State, Transition, TurnWork } from '../../core/workflow.ts';
import { replyTools } from '../../stages/stages.ts';
import { code, to, workState } from '../source/model-parts.ts';
import type { StageCase } from './stage-plan.ts';

/** How one stage is played, and where the run goes from there. */
export interface StagePlay {
  readonly case: StageCase;
  readonly turn: TurnWork;
  readonly answered: Transition;
  /** By the outcome of the turn; what stands in no entry ends the run. */
  readonly lost: Readonly<Partial<Record<'failed' | 'crashed' | 'timeout' | 'blocked', Transition>>>;
  /** The whole time that is left, where the state itself must look at it. */
  readonly leftMs?: string;
}

/** Where a stage begins. */
export const firstState = ({ stage, state }: StageCase): string => (makesFiles(stage) ? `${state}/begin` : state);

/**
 * The turn of a stage. Of one that makes files an agent's word is a claim (L4): before it begins the engine writes down
 * what the workspace holds, and afterwards it looks for the files itself and records them as artifacts.
 */
export function playedStage(play: StagePlay): readonly State[] {
  const { stage, state } = play.case;
  if (!makesFiles(stage)) return [turnState(play, [play.answered])];
  const { answered } = play;
  const handedIn = to(`${state}/evidence`, `function.${ARTIFACT_TOOL} !== undefined`);
  return [
    beginState(play),
    turnState(play, [{ ...answered, ...handedIn, assign: answered.assign }, answered]),
    evidenceState(play),
  ];
}

const makesFiles = ({ outputType }: StageCase['stage']): boolean => outputType === 'artifact';

const ARTIFACT_TOOL = replyTools('artifact')[0]?.name ?? '';

function turnState(
  { case: { stage, state }, turn, lost, leftMs }: StagePlay,
  transitions: readonly Transition[],
): State {
  const on = Object.fromEntries(Object.entries(lost).map(([outcome, transition]) => [outcome, [transition]]));
  const alone = workState(state, turn, { transitions, on, timeoutMs: stage.timeout ?? null });
  return leftMs === undefined ? alone : { ...alone, timeout: code(leftMs) };
}

function beginState({ case: { stage, state, player } }: StagePlay): State {
  const phase = JSON.stringify(stage.name);
  const agent = JSON.stringify(player);
  const input = code(`({ phase: ${phase}, agent: ${agent}, type: ${agent}, inputs: {}, needs: [], handoff: null })`);
  return workState(
    `${state}/begin`,
    { kind: 'compute', program: 'phase.begin', input },
    { transitions: [to(state, null, sinceFirstTry(stage.name))] },
  );
}

/** Another try of a stage goes on with the files of the one before: what that changed is work of the stage too. */
function sinceFirstTry(stage: string): string {
  const of = JSON.stringify(stage);
  return `this.common_data.since = this.common_data.since_of === ${of} ? this.common_data.since : result.since;
    this.common_data.since_of = ${of}`;
}

/** What is missing is told to the agent like any reply that cannot be used. */
function evidenceState({ case: { stage, state, player }, answered, lost }: StagePlay): State {
  const phase = JSON.stringify(stage.name);
  const agent = JSON.stringify(player);
  const input = code(
    `({ phase: ${phase}, agent: ${agent}, type: ${agent}, since: common_data.since, dependencies: [], criteria: [], mustChange: true,
      outputs: this.last_parsing_tool_calls.findLast((call) => call.function.name === '${ARTIFACT_TOOL}')
        .function.arguments.files.map((path) => ({ name: ${phase}, form: 'file', path, type: 'code' })) })`,
  );
  const { failed = answered, crashed = answered } = lost;
  return workState(
    `${state}/evidence`,
    { kind: 'compute', program: 'phase.collect', input },
    {
      transitions: [{ ...answered, ...to(answered.target, null, 'this.common_data.since_of = null') }],
      on: { failed: [failed], crashed: [crashed] },
    },
  );
}
