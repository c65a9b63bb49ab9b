import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { DEEDS, ORDERS, type Deed, type Order } from '../../protocol/operations/acts.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { VIEWS, type Shown, type View } from '../../protocol/operations/views.ts';
import { performDeed } from '../acts/perform-act.ts';
import { withOrder } from '../acts/with-order.ts';
import { chosenQuestion } from '../runs/chosen-question.ts';
import { runPicture } from '../runs/run-picture.ts';
import { withGit } from '../results/with-git.ts';
import { look } from '../views/look.ts';
import { EventReader, type RunEvent, type RunStand } from './event-reader.ts';
import { positionOf, runEndOf, type RunEnd, type RunPosition } from './run-end.ts';
import { checkedRequest } from './checked-request.ts';
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

  async *events({ signal, from = 'start' }: Parameters<RunHandle['events']>[0] = {}): AsyncGenerator<RunEvent> {
    const before = new Map(from === 'last' ? this.#given : []);
    for await (const event of this.#newReader().events(RESTING, this.#opened.waiting(signal))) {
      const { run, seq } = event;
      if (seq <= (before.get(run) ?? 0)) continue;
      this.#given.set(run, Math.max(seq, this.#given.get(run) ?? 0));
      yield event;
    }
  }

  async result({ signal }: Waiting = {}): Promise<RunEnd<Output>> {
    const end = runEndOf(await this.#until(ENDED, signal));
    return end.outcome === 'ok' ? { ...end, output: await this.#readOutput(end.output) } : end;
  }

  async rest({ signal }: Waiting = {}): Promise<RunPosition> {
    return positionOf(await this.#until(RESTING, signal));
  }

  async answer(text: string, options: Parameters<RunHandle['answer']>[1] = {}): Promise<void> {
    const { by, question = await this.#askedAlone(text), ...wishes } = options;
    await this.#order({ kind: 'answer', run: this.id, question, text, ...wishes }, by);
  }

  async resume({ by, ...wishes }: Parameters<RunHandle['resume']>[0] = {}): Promise<void> {
    await this.#order({ kind: 'resume', run: this.id, ...wishes }, by);
  }

  async raise(limits: NonNullable<OrderOf<'resume'>['limits']>, { by }: ActedBy = {}): Promise<void> {
    await this.#order({ kind: 'resume', run: this.id, limits }, by);
  }

  async fork({ by, ...wishes }: Parameters<RunHandle['fork']>[0]): Promise<RunHandle<Output>> {
    const run = await this.#order({ kind: 'fork', run: this.id, ...wishes }, by);
    return new RunOfTroupe(this.#opened, run, this.#readOutput);
  }

  async tell(agent: string, text: string, { by }: ActedBy = {}): Promise<void> {
    await this.#deed({ kind: 'tell', run: this.id, agent, text }, by);
  }

  async pause({ by, ...wishes }: Parameters<RunHandle['pause']>[0] = {}): Promise<void> {
    await this.#deed({ kind: 'pause', run: this.id, ...wishes }, by);
  }

  async cancel({ by, ...wishes }: Parameters<RunHandle['cancel']>[0] = {}): Promise<void> {
    await this.#deed({ kind: 'cancel', run: this.id, ...wishes }, by);
  }

  async deliver({ by, signal, ...wishes }: Parameters<RunHandle['deliver']>[0] = {}): Promise<Json> {
    const stopping = this.#opened.waiting(signal);
    const delivered = await this.#deed({ kind: 'deliver', run: this.id, ...wishes }, by, stopping);
    // A check that was interrupted says nothing about the files.
    if (isJsonObject(delivered) && delivered['kind'] === 'result.not-verified') stopping.throwIfAborted();
    return delivered;
  }

  async discard({ by, ...wishes }: Parameters<RunHandle['discard']>[0] = {}): Promise<Json> {
    return await this.#deed({ kind: 'discard', run: this.id, ...wishes }, by);
  }

  async archive({ by, ...wishes }: Parameters<RunHandle['archive']>[0] = {}): Promise<Json> {
    return await this.#deed({ kind: 'archive', run: this.id, ...wishes }, by);
  }

  async rollback({ by, ...wishes }: Parameters<RunHandle['rollback']>[0]): Promise<Json> {
    return await this.#deed({ kind: 'rollback', run: this.id, ...wishes }, by);
  }

  async show(): Promise<RunView> {
    return await this.look<'show'>({ kind: 'show' });
  }

  async look<Kind extends View['kind']>({ kind, ...options }: RunLook<Kind>): Promise<Shown<Kind>> {
    const view = { kind, ...checkedRequest(VIEWS[kind].request, { run: this.id, ...options }) };
    return await this.#opened.finish((asking) => look<Kind>(asking, view as Extract<View, { readonly kind: Kind }>));
  }

  #newReader(): EventReader {
    return new EventReader(this.#opened.journal(), this.id);
  }

  async #until(stands: ReadonlySet<RunStand>, signal: AbortSignal | undefined): Promise<RunView> {
    const { stand, view } = await this.#newReader().until(stands, this.#opened.waiting(signal));
    if (stand === 'left') throw this.#opened.driven.faultOf(this.id) ?? notDriven(view);
    const [withBranch = view] = await withGit([view]);
    return withBranch;
  }

  async #askedAlone(text: string): Promise<string> {
    const { questions } = await runPicture(this.#opened.journal(), this.id, null);
    return chosenQuestion([text], { run: this.id, questions }).question.id;
  }

  async #order({ kind, ...request }: Exclude<Order, { readonly kind: 'start' }>, by?: string): Promise<RunId> {
    const order = { kind, ...checkedRequest(ORDERS[kind].request, request) } as Order;
    const asking = this.#opened.asking(by);
    const { run } = await this.#opened.driven.carryOut((work) => withOrder(asking, order, { purpose: 'drive', work }));
    return run;
  }

  async #deed({ kind, ...request }: Deed, by?: string, signal = new AbortController().signal): Promise<Json> {
    const deed = { kind, ...checkedRequest(DEEDS[kind].request, request) } as Deed;
    return await this.#opened.finish((asking) => performDeed(asking, deed, signal), by);
  }
}

const notDriven = ({ run, status }: RunView): Fault => {
  const what = status === 'settled' ? 'its result is not delivered' : 'it has not ended';
  return new Fault('RUN_NOT_DRIVEN', `No process drives run ${run}, and ${what}.`, {
    hint: 'Let it go on: await run.resume(), or troupe resume on the command line.',
  });
};
