import type { Isolate } from '../../actors/script/port.ts';
import type { Definition } from '../../core/role.ts';
import type { ChildSettled } from '../../core/event.ts';
import type { RunId, TaskId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Noted, ProjectChanged } from '../../core/files-fact.ts';
import type { World } from '../port.ts';
import type { SentLog } from '../sent/sent-log.ts';
import type { Places } from './places.ts';

/** What an effect is carried out with. */
export interface Performance {
  readonly world: World;
  readonly isolate: () => Promise<Isolate>;
  readonly run: RunId;
  readonly definition: Definition;
  /** Where the run stood when the effect was ordered. */
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
  /** The effect was announced by a process that died before it was answered: it may have happened. */
  readonly isRepeat: boolean;
  /**
   * The last thing before it happens; from here on it may have happened. What is interrupted before is not repeated when it is done later.
   * LEASE_LOST where another process drives the run by now: what it did must not be done again. A `request` changes nothing by
   * itself, so it is waited for also while this process is cut off from the journal.
   */
  readonly begin: (what?: 'request') => Promise<void> | undefined;
  readonly onText: (delta: string) => void;
  /** Writes down what leaves. */
  readonly sent: SentLog;
  /** What all agents of the tree of runs read first. */
  readonly sharedText: () => Promise<string>;
  /** Starts a run below this one, or goes on with it after a crash, and waits for what it comes to. */
  readonly startBelow: (order: BelowOrder) => Promise<ChildSettled>;
  readonly places: Places;
  /** Goes into the journal with what the effect comes to, and also when nobody hears of that any more. */
  readonly note: (fact: Noted) => void;
  /** Goes into the journal at once: resolves when it is durable. */
  readonly noteNow: (fact: Noted) => Promise<void>;
  /**
   * Keeps other processes out of a workspace in which their runs meet this one, until what the effect comes to is durable. True
   * where others may have changed it before.
   */
  readonly reserve: (workspace: string) => Promise<boolean>;
  /** Lets other processes into a workspace that the effect left as it was. */
  readonly unreserve: (workspace: string) => Promise<void>;
  /** Writes down what is done to the user's own files; resolves when it is durable. */
  readonly noteProject: (fact: ProjectChanged) => Promise<void>;
  /** A client wants to use one of its own tools: a person decides, unless one has already. */
  readonly askPermission: (call: ToolCall) => Promise<boolean>;
}

export interface BelowOrder {
  readonly task: TaskId;
  readonly input: JsonObject;
  readonly definition: () => Definition;
  /** Where its agents work. */
  readonly workspace: (run: RunId) => string;
}
