import type { Event } from '../../core/model/event.ts';
import type { World, BelowOrder } from '../world.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { SentLog } from '../sent/sent-log.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Places } from '../perform/files/places.ts';
import type { Outgoing } from '../../journal/port.ts';
import type { LiveEvent } from '../port.ts';
import type { Isolate } from '../../actors/script/port.ts';
import type { HeardBelow } from './outgoing.ts';
import type { Effect } from '../../core/model/effect.ts';
import type { Definition } from '../../core/model/definition.ts';

export interface PerformerOptions {
  readonly world: World;
  readonly driver: DrivenRun;
  readonly children: Children;
  /** One isolate for all runs of the host. */
  readonly isolate: () => Promise<Isolate>;
  readonly onLive: (event: LiveEvent) => void;
  readonly places: Places;
}

/** Child runs are driven by the holder of the table of runs. */
export interface Children {
  /** Makes sure that a child run exists and is driven. It reports its end by itself; the event is for one that has already ended. */
  start(
    parent: DrivenRun,
    effect: Extract<Effect, { kind: 'child.start' }>,
    signal: AbortSignal,
  ): Promise<Event | null>;
  /** The same for a sub-agent, which is no workflow of the definition; resolves when it has ended. */
  startBelow(parent: DrivenRun, order: BelowOrder, signal: AbortSignal): Promise<HeardBelow>;
  /** Messages were written: the runs that are driven here get them soon. */
  deliver(sent: readonly Outgoing[]): void;
  /** The text that all agents of the tree read first. */
  sharedText(run: RunId): string | Promise<string>;
}

export type Performed = Exclude<Effect, { kind: 'timer.set' | 'timer.clear' }>;

export type Startable = Exclude<Performed, { kind: 'task.stop' | 'child.go' | 'child.share' | 'permission.tell' }>;

/** The part of a run's driver that performing its effects needs. */
export interface DrivenRun {
  readonly run: RunId;
  readonly definition: Definition;
  readonly snapshot: Snapshot;
  readonly sent: SentLog;
  checkLease(): Promise<void> | undefined;
  fail(error: unknown): void;
  settleDown(): void;
  tell(event: Event): Promise<boolean>;
  post(...events: readonly Event[]): void;
  postHeard(below: HeardBelow): void;
}
