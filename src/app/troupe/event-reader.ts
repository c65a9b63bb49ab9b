import { owedDelivery } from '../../core/step/delivery.ts';
import type { Fact } from '../../core/record/fact.ts';
import { applyRecord } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { followRun } from '../runs/tree-reader.ts';
import { runPicture } from '../runs/run-picture.ts';
import type { Json } from '../../core/model/json.ts';
import type { Failure, Outcome } from '../../core/model/outcome.ts';
import type { ResultState } from '../../core/look/result-state.ts';
import type { CostUsd, Usage } from '../../core/model/usage.ts';
import type { QuestionView } from '../../protocol/question-view.ts';

/** A record of a run or of a run below it, in the shape that `troupe run --json` prints. */
export type RunEvent = Fact & { readonly run: RunId; readonly seq: number; readonly at: number };

/**
 * `waiting`: only a person can let it go on. `left`: no process drives it, although it could go on or its delivery was cut off.
 * `ended`: it is over, and its result is where it was asked for.
 */
export type RunStand = 'going' | 'waiting' | 'left' | 'ended';

export interface EventReaderOptions {
  /** Workers drive the run: no process of this machine has to. */
  readonly isLeftToWorkers: boolean;
  /** Whether this process is with the run until its result is delivered. */
  readonly isPresent: () => boolean;
}

/** Reads a run from its start and as it grows, and knows where the run stands after what was read. */
export class EventReader {
  readonly #journal: Journal;
  readonly #run: RunId;
  readonly #options: EventReaderOptions;
  #root: Snapshot | null = null;

  constructor(journal: Journal, run: RunId, options: EventReaderOptions) {
    this.#journal = journal;
    this.#run = run;
    this.#options = options;
  }

  /** Past events, then new ones, until the run reaches one of these states. */
  async *events(until: ReadonlySet<RunStand>, signal: AbortSignal): AsyncGenerator<RunEvent> {
    yield* this.#follow(async () => until.has(await this.#stand()), signal);
  }

  /** Waits until the run stands in one of these ways. */
  async until(stands: ReadonlySet<RunStand>, signal: AbortSignal): Promise<SeenRun> {
    let seen = await this.#see('going');
    const isOver = async (): Promise<boolean> => {
      const stand = await this.#stand();
      if (!stands.has(stand)) return false;
      seen = await this.#see(stand);
      // A person may have let it go on in between.
      return seen.stand === 'left' || seen.view.status !== 'running';
    };
    for await (const _event of this.#follow(isOver, signal));
    return seen;
  }

  async #see(stand: RunStand): Promise<SeenRun> {
    const view = await runPicture(this.#journal, this.#run, null);
    const isLeft = view.status === 'running' && !view.driven && !this.#options.isLeftToWorkers;
    return { stand: isLeft ? 'left' : stand, view };
  }

  async *#follow(isOver: () => Promise<boolean>, signal: AbortSignal): AsyncGenerator<RunEvent> {
    for await (const { run, record } of followRun(this.#journal, this.#run, { isOver, signal })) {
      if (run === this.#run) this.#root = applyRecord(this.#root, record);
      yield { ...record.fact, run, seq: record.seq, at: record.at };
    }
  }

  /** Where the run stands after what was read so far. */
  async #stand(): Promise<RunStand> {
    const info = await this.#journal.run(this.#run);
    const { isLeftToWorkers, isPresent } = this.#options;
    // A process that stays with it delivers its result.
    if (info?.status === 'settled') return isLeftToWorkers && isPresent() ? 'going' : settledStand(info, this.#root);
    if (this.#root !== null && isAtRest(this.#root.clock)) return 'waiting';
    return info?.driven === true || isLeftToWorkers ? 'going' : 'left';
  }
}

/** A run, and where it stood at that moment. */
export interface SeenRun {
  readonly stand: RunStand;
  readonly view: RunView;
}

/** A run that is over is driven until its result is delivered. */
function settledStand({ driven }: RunInfo, root: Snapshot | null): RunStand {
  if (driven) return 'going';
  const isCutOff = root?.delivery?.status === 'started' && owedDelivery(root) !== null;
  return isCutOff ? 'left' : 'ended';
}

/** How a run came out. `output` has the type of the workflow's output where the outcome is ok. */
export type RunEnd<Output = Json> =
  | (EndFigures & { readonly outcome: 'ok'; readonly output: Output; readonly failure: null })
  | (EndFigures & {
      readonly outcome: Exclude<Outcome, 'ok'>;
      readonly output: Json;
      readonly failure: Failure | null;
    });

export interface EndFigures {
  readonly run: RunId;
  /** Where its files are; absent where it changed none. */
  readonly result?: ResultState;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

/** Where a run stands that goes no further by itself. */
export interface RunPosition extends EndFigures {
  readonly status: 'settled' | 'waiting' | 'paused';
  readonly outcome: Outcome | null;
  /** The open questions to a person. */
  readonly questions: readonly QuestionView[];
}

export function runEndOf({ run, result, usage, costUsd, outcome, output, failure }: RunView): RunEnd {
  const figures = { run: run as RunId, usage, costUsd, ...(result === undefined ? {} : { result }) };
  return outcome === 'ok'
    ? { ...figures, outcome, output, failure: null }
    : { ...figures, outcome: outcome ?? 'crashed', output, failure };
}

export function positionOf({ run, result, usage, costUsd, outcome, status, questions }: RunView): RunPosition {
  return {
    run: run as RunId,
    status: status === 'running' ? 'waiting' : status,
    outcome,
    questions,
    usage,
    costUsd,
    ...(result === undefined ? {} : { result }),
  };
}
