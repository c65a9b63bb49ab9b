import type { Isolate } from '../../actors/script/port.ts';
import type { ChildSettled } from '../../core/model/event.ts';
import type { Noted, ProjectChanged } from '../../core/record/files-fact.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { ToolCall } from '../../core/model/message.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { StreamRedactor } from '../../secrets/stream-redactor.ts';
import { askedFiles } from '../perform/files/asked-files.ts';
import type { BelowOrder, EffectContext, World } from '../world.ts';
import type { Places } from '../perform/files/places.ts';
import type { SentLog } from '../sent/sent-log.ts';
import type { HeardBelow } from './outgoing.ts';
import { isOfChild } from './is-of-child.ts';
import type { PerformerOptions, Startable } from './performer-options.ts';
import type { StopSwitch } from './stop-switch.ts';
import { unbegunOf } from './unbegun.ts';
import type { WaitingCalls } from './waiting-calls.ts';

const SILENT_PAUSE_MS = 100;

interface Order {
  readonly effect: Startable;
  readonly stop: StopSwitch;
  readonly isRepeat: boolean;
  readonly waiting: WaitingCalls;
}

/** A class, so that its signal is only created when it is read: see `LazyRequest`. */
export class EmbeddedContext implements EffectContext {
  readonly world: World;
  readonly run: RunId;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  readonly isRepeat: boolean;
  readonly places: Places;
  readonly sent: SentLog;
  readonly notes: Noted[] = [];
  /** The end of a child run that was waited for. */
  heard: HeardBelow | null = null;
  readonly effect: Startable;
  readonly #options: PerformerOptions;
  /** Streams its text; what may be the beginning of a secret waits for the rest. */
  readonly #live: StreamRedactor | undefined;
  #hasBegun = false;
  #mayChangeThings = false;
  #isOver = false;
  readonly #stop: StopSwitch;
  readonly #waiting: WaitingCalls;
  #reserved: Map<string, () => Promise<void>> | null = null;

  constructor(options: PerformerOptions, order: Order) {
    this.world = options.world;
    this.run = options.driver.run;
    this.definition = options.driver.definition;
    this.snapshot = options.driver.snapshot;
    this.isRepeat = order.isRepeat;
    this.places = options.places;
    this.sent = options.driver.sent;
    this.#options = options;
    this.effect = order.effect;
    this.#stop = order.stop;
    this.#waiting = order.waiting;
    if (order.effect.kind === 'actor.call') this.#live = options.world.secrets?.stream();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  begin(what?: 'request'): Promise<void> | undefined {
    const checked = this.#options.driver.checkLease();
    if (checked !== undefined) return checked.then(() => this.#beginHeard(what));
    this.#hasBegun = true;
    this.#mayChangeThings = what === undefined;
    return undefined;
  }

  /** It may be writing files, or acting on the outside world, at this moment. */
  get mayChangeThings(): boolean {
    return this.#mayChangeThings && !this.#isOver;
  }

  /** Waits a little while others cannot see that this process lives, so that the call is not attempted in a tight loop. */
  async #beginHeard(what?: 'request'): Promise<void> {
    const { journal, clock } = this.world;
    if (Number.isNaN(journal.lapses?.()))
      await new Promise<void>((resolve) => void clock.alarm(clock.now() + SILENT_PAUSE_MS, resolve));
    await this.begin(what);
  }

  /** Withdraws its open questions; a client's last message may still arrive. */
  end(): void {
    this.#showText(this.#live?.end() ?? '');
    this.#isOver = true;
    if (this.effect.kind === 'actor.call') this.#waiting.drop(this.effect.task);
  }

  get isUnbegun(): boolean {
    return !this.isRepeat && !this.#hasBegun && unbegunOf(this.effect) !== null;
  }

  note(fact: Noted): void {
    this.notes.push(fact);
  }

  async noteNow(fact: Noted): Promise<void> {
    await this.#options.driver.tell({ kind: 'world.noted', facts: [fact] });
  }

  async reserve(workspace: string): Promise<boolean> {
    const { journal } = this.world;
    if (journal.reserve === undefined || this.#reserved?.has(workspace) === true || !this.#meetsOthers()) return false;
    const giveBack = await journal.reserve(rootRunId(this.run), workspace, this.signal);
    this.#reserved ??= new Map();
    this.#reserved.set(workspace, giveBack);
    return true;
  }

  async unreserve(workspace: string): Promise<void> {
    const giveBack = this.#reserved?.get(workspace);
    this.#reserved?.delete(workspace);
    // A resource that cannot be released is free when this process ends.
    await giveBack?.().catch(() => undefined);
  }

  /** Runs that other processes drive merge their work into the workspace of a run above them. */
  #meetsOthers(): boolean {
    const { effect, snapshot } = this;
    if (effect.kind === 'merge.run') return true;
    // A client works in the workspace of its own unit, or of a run that waits for no unit meanwhile.
    return effect.kind !== 'actor.call' && !isOfChild(effect) && openChildren(snapshot).length > 0;
  }

  get hasReserved(): boolean {
    return this.#reserved !== null && this.#reserved.size > 0;
  }

  async giveBack(): Promise<void> {
    const all = [...(this.#reserved?.values() ?? [])];
    this.#reserved = null;
    await Promise.allSettled(all.map((giveBack) => giveBack()));
  }

  async noteProject(fact: ProjectChanged): Promise<void> {
    await this.#options.driver.tell({ kind: 'project.noted', fact });
  }

  async askPermission(call: ToolCall): Promise<boolean> {
    const { effect } = this;
    if (!('task' in effect) || this.#isOver) return false;
    const { task } = effect;
    const files = await askedFiles(this, task);
    // It may have ended meanwhile.
    if (this.#isOver) return false;
    const decided = this.#waiting.wait({ task, toolCall: call.id }, this.signal);
    this.#options.driver.post({ kind: 'permission.wanted', task, call, ...(files === undefined ? {} : { files }) });
    return await decided;
  }

  async startBelow(order: BelowOrder): Promise<ChildSettled> {
    this.heard = await this.#options.children.startBelow(this.#options.driver, order, this.signal);
    return this.heard.event;
  }

  sharedText(): string | Promise<string> {
    return this.#options.children.sharedText(this.run);
  }

  isolate(): Promise<Isolate> {
    return this.#options.isolate();
  }

  onText(delta: string): void {
    this.#showText(this.#live?.push(delta) ?? delta);
  }

  #showText(delta: string): void {
    const { effect } = this;
    if (delta === '' || effect.kind !== 'actor.call' || this.#stop.reason !== null) return;
    this.#options.onLive({ kind: 'text', run: this.run, agent: effect.agent, task: effect.task, delta });
  }
}
