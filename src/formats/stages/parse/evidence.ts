import { STEP_BEGIN, STEP_COLLECT } from '../../../core/model/step-program.ts';
import type { Parameter, State, Transition, TurnWork } from '../../../core/model/workflow.ts';
import { replyTools } from '../stages.ts';
import { code, diffWork, leadsTo, to, workState } from '../../../source/model-parts.ts';
import { DIFF_SUFFIX, LOOK } from '../rules/seen-evidence.ts';
import { SEEN_PROGRAM, type StageCase } from './stage-plan.ts';

/** How one stage is played, and where the run goes from there. */
export interface StagePlay {
  readonly case: StageCase;
  /** Gives the order of the turn. */
  readonly say: string;
  /** The path of the trees at the start of stages. */
  readonly since: string;
  readonly answered: Transition;
  /** By the outcome of the turn; any other outcome ends the run. */
  readonly lost: Readonly<Partial<Record<'failed' | 'crashed' | 'timeout' | 'blocked', Transition>>>;
  /** The whole time that is left, where the state itself must look at it. */
  readonly leftMs?: string;
}

/** The first state of a stage. */
export function firstState({ stage, state }: StageCase): string {
  if (makesFiles(stage)) return `${state}/begin`;
  return reviewsFiles(stage) ? `${state}${LOOK}` : state;
}

/**
 * The turn of a stage. If it makes files, an agent's word is a claim (L4): the engine records the workspace before it begins, and
 * afterwards looks for the files itself and records them as artifacts. A reviewer of files gets the real diff and the engine's own test
 * result (A7).
 */
export function playedStage(play: StagePlay): readonly State[] {
  const { stage, state } = play.case;
  if (reviewsFiles(stage)) return [...lookStates(state), turnState(play, [play.answered])];
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

/** A stage that judges what others made in the workspace. */
export const reviewsFiles = ({ inputTypes = [], outputType }: StageCase['stage']): boolean =>
  outputType === 'review' && inputTypes.includes('artifact');

const ARTIFACT_TOOL = replyTools('artifact')[0]?.name ?? '';

/** The commands that the project checks itself with; the host gives those it knows where the input names none. */
export const WARD: Parameter = {
  name: 'ward',
  type: 'array',
  description:
    'Commands whose result reviewers get, such as npm test; the engine runs them. Default: the tests of the project',
  required: false,
};

/** A red test is evidence for the reviewer, not the end of the run. */
const ANY_EXIT_CODE = Array.from({ length: 256 }, (_, index) => index);
const TEST_TIMEOUT_MS = 10 * 60_000;

/** The project's checks on the files as they are, then their diff since the run began; after each the engine says what it saw. */
function lookStates(state: string): readonly State[] {
  const [test, tested] = [`${state}/test`, `${state}/tested`];
  const [diff, shown] = [`${state}${DIFF_SUFFIX}`, `${state}/shown`];
  const command = code("common_data.ward.map((each) => '/bin/sh -c ' + quote(each)).join(' && ')");
  return [
    workState(
      `${state}${LOOK}`,
      { kind: 'none' },
      { transitions: [to(test, 'common_data.ward.length > 0'), to(tested)] },
    ),
    workState(
      test,
      { kind: 'command', command, okExitCodes: ANY_EXIT_CODE },
      { ...leadsTo(tested, ['failed', 'crashed', 'timeout']), timeoutMs: TEST_TIMEOUT_MS },
    ),
    seenState(tested, diff),
    workState(diff, diffWork(), leadsTo(shown, ['failed', 'crashed'])),
    seenState(shown, state),
  ];
}

const seenState = (name: string, next: string): State =>
  workState(
    name,
    { kind: 'compute', program: SEEN_PROGRAM, input: code('null'), keeps: 'seen' },
    { transitions: [to(next)] },
  );

/** A question, or the word that it is blocked, needs no changed file. */
const owedChanges = (play: StagePlay): NonNullable<TurnWork['changes']> => ({
  since: code(sinceOf(play)),
  replies: [ARTIFACT_TOOL],
});

const sinceOf = ({ since, case: { stage } }: StagePlay): string => `${since}[${JSON.stringify(stage.name)}]`;

function turnState(play: StagePlay, transitions: readonly Transition[]): State {
  const { stage, state, player } = play.case;
  const { say, lost, leftMs } = play;
  const input = code(reviewsFiles(stage) ? `common_data.seen + ${say}` : say);
  const changes = makesFiles(stage) ? { changes: owedChanges(play) } : {};
  const { artifactKind } = stage;
  const allowed = artifactKind === undefined ? {} : { allowed: { kind: code(JSON.stringify([artifactKind])) } };
  const turn: TurnWork = { kind: 'turn', agent: player, mode: 'ask', input, ...changes, ...allowed };
  const on = Object.fromEntries(Object.entries(lost).map(([outcome, transition]) => [outcome, [transition]]));
  const reply = replyTools(stage.outputType).map(({ name }) => name);
  const alone = workState(state, { ...turn, reply }, { transitions, on, timeoutMs: stage.timeout ?? null });
  return leftMs === undefined ? alone : { ...alone, timeout: code(leftMs) };
}

function beginState(play: StagePlay): State {
  const { stage, state, player } = play.case;
  const phase = JSON.stringify(stage.name);
  const agent = JSON.stringify(player);
  const input = code(`({ phase: ${phase}, agent: ${agent}, type: ${agent}, inputs: {}, needs: [], handoff: null })`);
  return workState(
    `${state}/begin`,
    { kind: 'compute', program: STEP_BEGIN, input },
    { transitions: [to(state, null, sinceFirstTry(play))] },
  );
}

/** A retry of a stage continues with the files of the attempt before, whose changes count as work of the stage. */
const sinceFirstTry = (play: StagePlay): string => keepSince(play, `${sinceOf(play)} ?? result.since`);

const keepSince = ({ since, case: { stage } }: StagePlay, tree: string): string =>
  `this.${since} = { ...${since}, ${JSON.stringify(stage.name)}: ${tree} }`;

/** Missing evidence is sent back to the agent like an unusable reply. */
function evidenceState(play: StagePlay): State {
  const { stage, state, player } = play.case;
  const { answered, lost } = play;
  const phase = JSON.stringify(stage.name);
  const agent = JSON.stringify(player);
  const input = code(
    `({ phase: ${phase}, agent: ${agent}, type: ${agent}, since: ${sinceOf(play)}, dependencies: [], criteria: [],
      outputs: this.last_parsing_tool_calls.findLast((call) => call.function.name === '${ARTIFACT_TOOL}')
        .function.arguments.files.map((path) => ({ name: ${phase}, form: 'file', path, type: 'code' })) })`,
  );
  const { failed = answered, crashed = answered } = lost;
  return workState(
    `${state}/evidence`,
    { kind: 'compute', program: STEP_COLLECT, input, writes: true },
    {
      transitions: [{ ...answered, ...to(answered.target, null, keepSince(play, 'null')) }],
      on: { failed: [failed], crashed: [crashed] },
    },
  );
}
