import { endStoppedPools } from './end-task.ts';
import type { RunStopping } from '../record/task-fact.ts';
import { settle } from './settle.ts';
import { evaluateProgram } from '../evaluate/evaluation.ts';
import { finish } from './finish.ts';
import { enterState, leave } from './leave.ts';
import { progressPool } from './pool/pool.ts';
import type { StepProgress } from './progress.ts';
import { isRunPaused } from './paused.ts';
import type { ApartTurn } from '../record/apart-turn.ts';
import { mayCall } from '../model/limits.ts';
import { startTask } from './start-task.ts';
import { startWork } from './start-work.ts';
import { continueTurn } from './turn/turn.ts';
import type { WorkState } from '../model/workflow.ts';

/**
 * Takes the run as far as it can go by itself. Depends only on the current snapshot, so a resumed run starts with it too: a
 * second call changes nothing more.
 */
export function advance(progress: StepProgress): void {
  endStoppedPools(progress);
  if (progress.snapshot.rollingBack !== null) return;
  if (progress.snapshot.stopping !== null) return settleStopped(progress, progress.snapshot.stopping);
  if (progress.snapshot.apart !== null) return advanceApart(progress, progress.snapshot.apart);
  while (canMove(progress)) {
    if (progress.snapshot.path.length === 0 && !enterState(progress, progress.workflow.start, FIRST)) return;
    const state = progress.workflow.states[progress.snapshot.current.state];
    if (state === undefined) return settleUnknown(progress);
    if (state.kind === 'end') return finish(progress, state);
    if (!oneMove(progress, state)) return;
  }
}

/** A run that is one turn of the run above: it ends with that, and the run above decides what follows. */
function advanceApart(progress: StepProgress, { state: name, work }: ApartTurn): void {
  if (!canMove(progress)) return;
  if (progress.snapshot.path.length === 0 && !enterState(progress, name, FIRST)) return;
  const state = progress.workflow.states[name];
  if (state?.kind !== 'work') return settleUnknown(progress);
  // The run above counts the time of its state.
  const place = { state: { ...state, timeoutMs: null }, key: 'work', locals: {}, pool: null, unit: null };
  if (progress.snapshot.current.task !== null) continueTasks(progress);
  else if (mayCall(progress)) startTask(progress, work, place);
  const { result } = progress.snapshot.current;
  if (result !== null) settle(progress, result);
}

/** A run with only its first record has not entered a state yet. */
const FIRST = { patch: null, from: null } as const;

const canMove = ({ snapshot }: StepProgress): boolean =>
  snapshot.status === 'running' && snapshot.rollingBack === null && !isRunPaused(snapshot);

/** Enter, work, leave: true if the run has moved. */
function oneMove(progress: StepProgress, state: WorkState): boolean {
  if (!runEntry(progress, state)) return false;
  const { current } = progress.snapshot;
  if (state.work.kind === 'none' || current.result !== null) return leave(progress, state);
  if (current.task === null) return startWork(progress, state);
  continueTasks(progress);
  return progress.snapshot.current.result !== null;
}

function runEntry(progress: StepProgress, state: WorkState): boolean {
  if (state.enter === null || progress.snapshot.current.entered) return true;
  const place = { key: 'enter', what: `The script of state ${state.name}`, locals: {}, at: state.at };
  const patch = evaluateProgram(progress, state.enter, place);
  if (patch.kind === 'pending') return false;
  if (patch.kind === 'failed') {
    settle(progress, { outcome: 'failed', output: null, failure: patch.failure });
    return false;
  }
  progress.record({ kind: 'data.set', patch: patch.value });
  return true;
}

/** Continues every open task: turns first, in the order they began, then the pool they belong to. */
function continueTasks(progress: StepProgress): void {
  for (const task of Object.values(progress.snapshot.tasks)) {
    if (!canMove(progress)) return;
    const now = progress.snapshot.tasks[task.id];
    if (now?.turn) continueTurn(progress, now);
  }
  const root = progress.snapshot.tasks[progress.snapshot.current.task ?? ''];
  if (root?.units && canMove(progress)) progressPool(progress, root.id);
}

/** The run settles only after all of its work has stopped. */
function settleStopped(progress: StepProgress, { outcome, failure }: RunStopping): void {
  if (progress.snapshot.status === 'settled' || Object.keys(progress.snapshot.tasks).length > 0) return;
  settle(progress, { outcome, output: null, failure });
}

function settleUnknown(progress: StepProgress): void {
  const { state } = progress.snapshot.current;
  settle(progress, {
    outcome: 'failed',
    output: null,
    failure: { code: 'STATE_UNKNOWN', message: `The workflow has no state ${state}.`, class: 'logic' },
  });
}
