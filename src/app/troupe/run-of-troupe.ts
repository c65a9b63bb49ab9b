import { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { IMMEDIATE_ACTS, ORDERS, type ImmediateAct, type Order } from '../../protocol/operations/acts.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { VIEWS, type Shown, type View } from '../../protocol/operations/views.ts';
import { performImmediateAct } from '../acts/perform-act.ts';
import { withOrder } from '../acts/with-order.ts';
import { chosenQuestion } from '../runs/answer-run.ts';
import { runPicture } from '../runs/run-picture.ts';
import { withGit } from '../results/with-git.ts';
import { look } from '../views/look.ts';
import {
  EventReader,
  positionOf,
  type RunEnd,
  runEndOf,
  type RunEvent,
  type RunPosition,
  type RunStand,
} from './event-reader.ts';
import { libraryRequest, optionsOf, waitingOf } from './checked-values.ts';
import type { OpenProject } from './open-project.ts';
import type { ActedBy, RunHandle, RunLook, Waiting } from './troupe.ts';

const ENDED: ReadonlySet<RunStand> = new Set(['ended', 'left']);
const RESTING: ReadonlySet<RunStand> = new Set(['ended', 'left', 'waiting']);

type OrderOf<Kind extends Order['kind']> = Extract<Order, { readonly kind: Kind }>;

/** A run of an open project. */
export class RunOfTroupe<Output> implements RunHandle<Output> {
  readonly id: RunId;
  readonly #opened: OpenProject;
  readonly #readOutput: (output: Json) => Promise<Output>;
  /** The newest record of each run that was given to the program. */
  readonly #given = new Map<RunId, number>();

  constructor(opened: OpenProject, id: RunId, readOutput: (output: Json) => Promise<Output>) {
    this.id = id;
    this.#opened = opened;
    this.#readOutput = readOutput;
  }

  async *events(options: Parameters<RunHandle['events']>[0] = {}): AsyncGenerator<RunEvent> {
    const { signal, from } = waitingOf(options);
    const before = new Map(from === 'last' ? this.#given : []);
    for await (const event of this.#newReader().events(RESTING, this.#opened.waiting(signal))) {
      const { run, seq } = event;
      if (seq <= (before.get(run) ?? 0)) continue;
      this.#given.set(run, Math.max(seq, this.#given.get(run) ?? 0));
      yield event;
    }
  }

  async result(options: Waiting = {}): Promise<RunEnd<Output>> {
    const end = runEndOf(await this.#until(ENDED, options));
    return end.outcome === 'ok' ? { ...end, output: await this.#readOutput(end.output) } : end;
  }

  async rest(options: Waiting = {}): Promise<RunPosition> {
    return positionOf(await this.#until(RESTING, options));
  }

  async answer(text: string, options: Parameters<RunHandle['answer']>[1] = {}): Promise<void> {
    const { question = await this.#askedAlone(text), ...wishes } = options;
    await this.#order('answer', { question, text, ...wishes });
  }

  async resume(options: Parameters<RunHandle['resume']>[0] = {}): Promise<void> {
    await this.#order('resume', options);
  }

  async raise(limits: NonNullable<OrderOf<'resume'>['limits']>, options: ActedBy = {}): Promise<void> {
    await this.#order('resume', { limits, ...options });
  }

  async fork(options: Parameters<RunHandle['fork']>[0]): Promise<RunHandle<Output>> {
    return new RunOfTroupe(this.#opened, await this.#order('fork', options), this.#readOutput);
  }

  async tell(agent: string, text: string, options: ActedBy = {}): Promise<void> {
    await this.#perform('tell', { agent, text, ...options });
  }

  async pause(options: Parameters<RunHandle['pause']>[0] = {}): Promise<void> {
    await this.#perform('pause', options);
  }

  async cancel(options: Parameters<RunHandle['cancel']>[0] = {}): Promise<void> {
    await this.#perform('cancel', options);
  }

  async deliver({ signal, ...options }: Parameters<RunHandle['deliver']>[0] = {}): Promise<Json> {
    const stopping = this.#opened.waiting(signal);
    const delivered = await this.#perform('deliver', options, stopping);
    // A check that was interrupted says nothing about the files.
    if (isJsonObject(delivered) && delivered['kind'] === 'result.not-verified') stopping.throwIfAborted();
    return delivered;
  }

  async discard(options: Parameters<RunHandle['discard']>[0] = {}): Promise<Json> {
    return await this.#perform('discard', options);
  }

  async archive(options: Parameters<RunHandle['archive']>[0] = {}): Promise<Json> {
    return await this.#perform('archive', options);
  }

  async rollback(options: Parameters<RunHandle['rollback']>[0]): Promise<Json> {
    return await this.#perform('rollback', options);
  }

  async show(): Promise<RunView> {
    return await this.look<'show'>({ kind: 'show' });
  }

  async look<Kind extends View['kind']>(given: RunLook<Kind>): Promise<Shown<Kind>> {
    const { kind, ...options } = libraryRequest(LOOK, given) as RunLook<Kind>;
    const view = { kind, ...libraryRequest(VIEWS[kind].request, { ...options, run: this.id }) };
    return await this.#opened.finish((asking) => look<Kind>(asking, view as Extract<View, { readonly kind: Kind }>));
  }

  #newReader(): EventReader {
    const { store } = this.#opened.asking();
    const isPresent = (): boolean => this.#opened.driven.isPresent(this.id);
    return new EventReader(store.journal, this.id, { isLeftToWorkers: store.shared !== undefined, isPresent });
  }

  async #until(stands: ReadonlySet<RunStand>, options: Waiting): Promise<RunView> {
    const { signal } = waitingOf(options);
    const { stand, view } = await this.#newReader().until(stands, this.#opened.waiting(signal));
    if (stand === 'left') throw this.#opened.driven.faultOf(this.id) ?? notDriven(view);
    const [withBranch = view] = await withGit([view]);
    return withBranch;
  }

  async #askedAlone(text: string): Promise<string> {
    const { questions } = await runPicture(this.#opened.journal(), this.id, null);
    return chosenQuestion([text], { run: this.id, questions }).question.id;
  }

  async #order(kind: Exclude<Order['kind'], 'start'>, options: unknown): Promise<RunId> {
    const { by, wishes } = optionsOf(options);
    const order = { kind, ...libraryRequest(ORDERS[kind].request, { ...wishes, run: this.id }) } as Order;
    const asking = this.#opened.asking(by);
    const { run } = await this.#opened.driven.carryOut((work) => withOrder(asking, order, { purpose: 'drive', work }));
    return run;
  }

  async #perform(kind: ImmediateAct['kind'], options: unknown, signal = new AbortController().signal): Promise<Json> {
    const { by, wishes } = optionsOf(options);
    const act = { kind, ...libraryRequest(IMMEDIATE_ACTS[kind].request, { ...wishes, run: this.id }) } as ImmediateAct;
    return await this.#opened.finish((asking) => performImmediateAct(asking, act, signal), by);
  }
}

const LOOK = z.looseObject({ kind: z.enum(Object.keys(VIEWS) as View['kind'][]) });

const notDriven = ({ run, status }: RunView): Fault => {
  const what = status === 'settled' ? 'its result is not delivered' : 'it has not ended';
  return new Fault('RUN_NOT_DRIVEN', `No process drives run ${run}, and ${what}.`, {
    hint: 'Let it continue: await run.resume(), or troupe resume on the command line.',
  });
};
