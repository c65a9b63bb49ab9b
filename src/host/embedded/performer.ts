import type { PerformerOptions, Performed, Startable } from './performer-options.ts';
import { taskToLookAt } from '../../core/step/approval.ts';
import { loadOnce } from '../load-once.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import { Fault, unreachable } from '../../core/model/fault.ts';
import type { RunId, TaskId } from '../../core/model/ids.ts';
import { isOfChild } from './is-of-child.ts';
import type { FileMarks, QuestionAnswered } from '../../core/record/question-fact.ts';
import { askedFiles } from '../perform/files/asked-files.ts';
import { callActor } from '../perform/turn/call-actor.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';
import { failedEvent, pauseUntilFixed, toFailure } from '../perform/failed-event.ts';
import type { EffectContext } from '../world.ts';
import { rootOf } from '../perform/files/places.ts';
import { isJournalFault } from '../perform/journal-fault.ts';
import { performCommand } from '../perform/commands/run-command.ts';
import { runRollback } from '../perform/files/run-rollback.ts';
import { runScript } from '../perform/commands/run-script.ts';
import { runTool } from '../perform/tools/run-tool.ts';
import { EmbeddedContext } from './embedded-context.ts';
import { SilenceWatch } from './silence-watch.ts';
import { StopSwitch } from './stop-switch.ts';
import { unbegunOf } from './unbegun.ts';
import { WaitingCalls } from './waiting-calls.ts';

const computing = loadOnce(() => import('../perform/commands/run-compute.ts'));
const merging = loadOnce(() => import('../perform/files/run-merge.ts'));
const delivering = loadOnce(() => import('../perform/files/run-delivery.ts'));

type OtherWork = Extract<
  Effect,
  { kind: 'compute.run' | 'merge.run' | 'rollback.run' | 'question.look' | 'delivery.run' }
>;
type QuestionLook = Extract<Effect, { kind: 'question.look' }>;

/** How long stopped work is waited for; processes are killed long before. */
const PATIENCE_MS = 10_000;

interface Begun {
  readonly stop: StopSwitch;
  readonly effect: Startable;
  readonly context: EmbeddedContext;
}

interface UnderWay extends Begun {
  readonly key: string;
  /** It was stopped but has not ended, and is no longer waited for. */
  isGivenUp: boolean;
  readonly ended: Promise<void>;
}

/** Performs the effects of one run, and stops work that must stop. Every effect leads to exactly one event. */
export class Performer {
  readonly #options: PerformerOptions;
  /** A list: a map that gains and loses a key with every call leaves a chain of dead tables behind, which keep garbage alive. */
  readonly #underWay: UnderWay[] = [];
  readonly #waiting = new WaitingCalls();
  /** Work that was interrupted and waits until its cause is fixed. */
  #halted: { readonly effect: Startable; readonly isRepeat: boolean }[] = [];

  readonly #silence: SilenceWatch;

  constructor(options: PerformerOptions) {
    this.#options = options;
    this.#silence = new SilenceWatch(options.world, {
      checkLease: () => options.driver.checkLease(),
      stopWork: () => {
        if (this.#underWay.some(({ context }) => context.mayChangeThings))
          options.driver.fail(leaseUnsure(options.driver.run));
      },
    });
  }

  /** Stopped work counts until it has really ended. Children wait for people by themselves, so they do not count. */
  get isBusy(): boolean {
    return this.#underWay.some(
      ({ effect, isGivenUp }) => !isOfChild(effect) && !isGivenUp && !this.#waitsForPerson(effect),
    );
  }

  #waitsForPerson(effect: Startable): boolean {
    return effect.kind === 'actor.call' && this.#waiting.has(effect.task);
  }

  get hasChildren(): boolean {
    return this.#underWay.some(({ effect }) => isOfChild(effect));
  }

  perform(effect: Performed, isRepeat: boolean): void {
    if (effect.kind === 'task.stop') return this.#stop(effect.task);
    // Sent with the records that order it.
    if (effect.kind === 'child.go' || effect.kind === 'child.share') return;
    if (effect.kind === 'permission.tell') return this.#waiting.tell(effect);
    const key = keyOf(effect);
    if (this.#underWay.some((work) => work.key === key)) return;
    const stop = new StopSwitch();
    const context = new EmbeddedContext(this.#options, { effect, stop, isRepeat, waiting: this.#waiting });
    const ended = this.#run(key, { effect, stop, context });
    this.#underWay.push({ key, stop, effect, context, ended, isGivenUp: false });
    this.#silence.begin();
  }

  /** The files that an answer approves, as they are now; undefined if it is about none, or no files are kept. */
  async filesNow(answer: QuestionAnswered): Promise<FileMarks | undefined> {
    const { driver } = this.#options;
    const task = taskToLookAt(driver.snapshot, answer)?.id;
    if (task === undefined) return undefined;
    const effect = { kind: 'question.look', task, question: answer.question } as const;
    const order = { effect, stop: new StopSwitch(), isRepeat: false, waiting: this.#waiting };
    const context = new EmbeddedContext(this.#options, order);
    try {
      return await askedFiles(context, task);
    } finally {
      const facts = context.notes;
      if (facts.length > 0) driver.post({ kind: 'world.noted', facts });
    }
  }

  async stopAll(): Promise<void> {
    const all = [...this.#underWay];
    for (const { stop } of all) stop.stop('shutdown');
    const patience = Promise.withResolvers<void>();
    const forget = this.#alarm(() => patience.resolve());
    await Promise.race([Promise.allSettled(all.map(({ ended }) => ended)), patience.promise]);
    forget();
  }

  #stop(task: TaskId): void {
    this.#halted = this.#halted.filter(({ effect }) => !('task' in effect) || effect.task !== task);
    for (const work of this.#underWay) {
      if (!('task' in work.effect) || work.effect.task !== task) continue;
      work.stop.stop('stopped');
      const forget = this.#alarm(() => {
        work.isGivenUp = true;
        this.#options.driver.settleDown();
      });
      void work.ended.then(forget);
    }
  }

  #alarm(ring: () => void): () => void {
    const { clock } = this.#options.world;
    return clock.alarm(clock.now() + PATIENCE_MS, ring);
  }

  async #run(key: string, work: Begun): Promise<void> {
    const { effect, stop, context } = work;
    let event: Event | null;
    try {
      event = await this.#carryOut(effect, context);
    } catch (error) {
      event = isHeard(effect, stop) ? this.#eventOf(work, error) : null;
    }
    const events = this.#report(work, isHeard(effect, stop) ? event : null);
    this.#underWay.splice(
      this.#underWay.findIndex((work) => work.key === key),
      1,
    );
    if (this.#underWay.length === 0) this.#silence.end();
    const { driver } = this.#options;
    if (events === null) driver.settleDown();
    else if (!context.hasReserved) driver.post(...events);
    else await Promise.allSettled(events.map((one) => driver.tell(one)));
    if (context.hasReserved) await context.giveBack();
  }

  /** The facts noted on the way and the resulting event; null if nothing is to be reported. */
  #report({ stop, context }: Begun, event: Event | null): readonly Event[] | null {
    context.end();
    const { notes, heard: below } = context;
    // Taken with what it led to. Of stopped work only the cost counts; if this process stops, the next one takes it.
    if (below !== null && stop.reason !== 'shutdown' && (event !== null || below.message !== null))
      this.#options.driver.postHeard(below);
    const heard = event === null ? [] : [event];
    if (notes.length > 0) return [{ kind: 'world.noted', facts: notes }, ...heard];
    return event === null ? null : heard;
  }

  /** What an error means for the run. */
  #eventOf({ effect, context }: Begun, error: unknown): Event | null {
    const { driver } = this.#options;
    if (isJournalFault(error) || effect.kind === 'delivery.run') {
      driver.fail(error);
      return null;
    }
    const toFix = faultToFix(error, driver.snapshot.project);
    if (toFix !== null && effect.kind !== 'rollback.run') return this.#halt(context, toFix);
    return failedEvent(effect, toFailure(error));
  }

  /**
   * No work can continue until a person has fixed something, so the run pauses, and with it the whole tree (see `outgoing`). The effect is
   * neither done nor failed: it stays open in the journal and is performed again when the run continues.
   */
  #halt({ effect, isUnbegun }: EmbeddedContext, fault: Fault): Event {
    this.#halted.push({ effect, isRepeat: !isUnbegun });
    const { driver, world } = this.#options;
    const pause = pauseUntilFixed(rootOf(driver.run), fault, world.worker);
    const unbegun = isUnbegun ? unbegunOf(effect) : null;
    return unbegun === null ? pause : { ...pause, unbegun: [unbegun] };
  }

  /** Keeps those of these effects that start something until the run continues, and returns them. */
  halt(effects: readonly Effect[]): readonly Effect[] {
    const kept = effects.filter(isStartable);
    this.#halted.push(...kept.map((effect) => ({ effect, isRepeat: false })));
    return kept;
  }

  /** The run continues: interrupted work is performed again as soon as there is a slot. */
  goOn(): readonly { readonly effect: Performed; readonly isRepeat: boolean }[] {
    this.#options.world.clients?.breakers.retry();
    return this.#halted.splice(0);
  }

  #carryOut(effect: Startable, context: EffectContext): Promise<Event | null> {
    switch (effect.kind) {
      case 'actor.call':
        return callActor(context, effect);
      case 'tool.run':
        return runTool(context, effect);
      case 'script.run':
        return runScript(context, effect);
      case 'command.run':
        return performCommand(context, effect);
      case 'child.start':
        return this.#options.children.start(this.#options.driver, effect, context.signal);
      default:
        return carryOutOther(effect, context);
    }
  }
}

/** Only the journal knows who drives the run; until then this process does not. */
const leaseUnsure = (run: RunId): Fault =>
  new Fault(
    'LEASE_UNSURE',
    `Run ${run} was let go: the journal was out of reach for so long that others may drive it.`,
    {
      hint: `Where no worker takes it up: troupe resume ${run}`,
    },
  );

/** Work that no workflow names, and work whose module is loaded when it is first needed. */
async function carryOutOther(effect: OtherWork, context: EffectContext): Promise<Event> {
  await context.begin();
  switch (effect.kind) {
    case 'compute.run':
      return await (await computing()).runCompute(context, effect);
    case 'merge.run':
      return await (await merging()).runMerge(context, effect);
    case 'rollback.run':
      return await runRollback(context);
    case 'question.look':
      return await lookedAt(context, effect);
    case 'delivery.run':
      return await (await delivering()).runDelivery(context);
    default:
      return unreachable(effect);
  }
}

async function lookedAt(context: EffectContext, { task, question }: QuestionLook): Promise<Event> {
  const files = await askedFiles(context, task);
  return files === undefined ? { kind: 'world.noted', facts: [] } : { kind: 'question.looked', question, files };
}

/** Stopped work has already ended in the journal, except a child run that could not be started: its parent waits for it. */
function isHeard(effect: Startable, { reason }: StopSwitch): boolean {
  return reason === null || (effect.kind === 'child.start' && reason === 'stopped');
}

function keyOf(effect: Startable): string {
  switch (effect.kind) {
    case 'actor.call':
      return `actor.call ${effect.task} ${effect.call} ${effect.attempt}`;
    case 'tool.run':
      return `tool.run ${effect.task} ${effect.toolCall.id}`;
    case 'script.run':
      return `script.run ${effect.key}`;
    case 'question.look':
      return `question.look ${effect.question}`;
    case 'rollback.run':
    case 'delivery.run':
      return effect.kind;
    default:
      return `${effect.kind} ${effect.task}`;
  }
}

const isStartable = (effect: Effect): effect is Startable => !NOT_STARTED.has(effect.kind);

const NOT_STARTED: ReadonlySet<Effect['kind']> = new Set([
  'timer.set',
  'timer.clear',
  'task.stop',
  'child.go',
  'child.share',
  'permission.tell',
]);
