import type { Effect } from '../../core/model/effect.ts';
import type { ChildSettled } from '../../core/model/event.ts';
import { Fault, isFault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { childRunId, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { Definition } from '../../core/model/definition.ts';
import { apartBeginning, type ApartBeginning } from '../../core/step/apart-beginning.ts';
import { slotBelow } from '../../core/step/pool/slot.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { totalTokens } from '../../core/model/usage.ts';
import { runTime } from '../../core/fold/work-clock.ts';
import type { Limits } from '../../core/model/workflow.ts';
import { childWorkspace } from '../../core/model/workspace-name.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { BelowOrder, Placement, World } from '../world.ts';
import type { StartOptions } from '../port.ts';
import { NOTHING, type BeginningContext } from './beginning.ts';
import type { Driver } from './driver.ts';
import type { InboxBody } from './inbox-body.ts';
import { newsOfEnd, pauseFor, STOPPED, type HeardBelow } from './outgoing.ts';

const cache = new WeakMap<Definition, Map<string, Definition>>();

/** The child's definition is part of its parent's; the same object each time, so that it is hashed and stored once. */
export function childDefinition(parent: Definition, name: string): Definition {
  const known = cache.get(parent) ?? new Map<string, Definition>();
  cache.set(parent, known);
  const found = known.get(name);
  if (found !== undefined) return found;
  const workflow = parent.library[name];
  if (workflow === undefined) {
    throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow ${name}.`, {
      hint: 'Check the name of the sub-workflow.',
    });
  }
  const definition: Definition = { ...parent, workflow };
  known.set(name, definition);
  return definition;
}

/** A child may use what its parent has left of time, tokens and money, or what its own workflow allows if that is less. */
function childLimits(parent: Snapshot, own: Limits, now: number): Partial<Limits> {
  const { limits, usage, costUsd, clock } = parent;
  return {
    ...least('tokens', limits.tokens, totalTokens(usage), own.tokens),
    ...least('usd', limits.usd, costUsd ?? 0, own.usd),
    ...least('durationMs', limits.durationMs, runTime(clock, now).workedMs, own.durationMs),
  };
}

// oxlint-disable-next-line eslint/max-params -- one row of a small table
function least(
  name: keyof Limits,
  allowed: number | undefined,
  used: number,
  own: number | undefined,
): Partial<Limits> {
  return allowed === undefined ? {} : { [name]: Math.min(Math.max(0, allowed - used), own ?? Infinity) };
}

/** The part of the table of runs that starting a child run needs. */
export interface RunStarter {
  readonly world: World;
  readonly drivers: ReadonlyMap<RunId, Driver>;
  begin(options: StartOptions, child: ChildBeginning): Promise<RunId>;
  takeOver(run: RunId): Promise<Driver>;
  /** Hands it the messages that wait for it. */
  readonly hear: (driver: Driver) => Promise<void>;
}

export interface ChildBeginning {
  readonly parent: RunId;
  readonly place: {
    readonly workspace: string;
    readonly slot: 'given' | 'left' | undefined;
    readonly isOffered?: true;
    readonly turn: ApartBeginning | undefined;
  };
  readonly around: BeginningContext;
}

export type ChildStart = Extract<Effect, { kind: 'child.start' }>;

interface Called<Order> {
  readonly order: Order;
  readonly signal: AbortSignal;
}

export function startChild(
  table: RunStarter,
  parent: Driver,
  { order: effect, signal }: Called<ChildStart>,
): Promise<ChildSettled | null> {
  if (effect.apart === true) return startTurn(table, parent, { order: effect, signal });
  const isOwn = effect.workspace === 'own';
  const workspace = (run: RunId) => (isOwn ? childWorkspace(run) : parent.snapshot.workspace);
  const definition = () => childDefinition(parent.definition, effect.workflow);
  return place(table, parent, { order: { ...effect, definition, workspace, mayTravel: isOwn }, signal });
}

/** A turn of the parent, whose agent shares neither its files nor its conversation with others. */
function startTurn(table: RunStarter, parent: Driver, { order, signal }: Called<ChildStart>) {
  const workspace = () => parent.snapshot.workspace;
  const turn = (): ApartBeginning => {
    const beginning = apartBeginning(parent.snapshot, order.task);
    // Without it the run below would begin the whole workflow.
    if (beginning === null) throw new Fault('INTERNAL', `${parent.run} has no open turn ${order.task}.`);
    return beginning;
  };
  const definition = () => parent.definition;
  return place(table, parent, { order: { ...order, definition, workspace, turn, mayTravel: true }, signal });
}

export async function startBelow(table: RunStarter, parent: Driver, called: Called<BelowOrder>): Promise<HeardBelow> {
  const { order, signal } = called;
  // Requested first: it may have ended before it is seen to be driven.
  const settled = parent.settledBelow(order.task);
  const shutdown = Promise.withResolvers<never>();
  shutdown.promise.catch(() => undefined);
  const stop = (): void => {
    if (signal.reason !== 'stopped') shutdown.reject(hostClosed());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const found = await place(table, parent, called);
    return found === null ? await Promise.race([settled, shutdown.promise]) : { event: found, message: null };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** `mayTravel`: it shares no files with other runs, so another process can drive it. */
type ChildOrder = BelowOrder & { readonly mayTravel?: boolean; readonly turn?: () => ApartBeginning };

/** Makes sure that a child exists and is driven. After a crash it may be half done, or even settled: then returns how it ended. */
async function place(table: RunStarter, parent: Driver, called: Called<ChildOrder>): Promise<ChildSettled | null> {
  const { order, signal } = called;
  const run = childRunId(parent.run, order.task);
  const info = await table.world.journal.run(run);
  if (info?.status === 'settled') return await settledBefore(table, parent, run);
  const offers = order.mayTravel === true ? table.world.placement : undefined;
  if (info !== undefined) await seeToDriving(table, info, offers);
  else if (!(await begins(table, parent, { order, isOffered: offers !== undefined })))
    return await place(table, parent, called);
  else if (offers !== undefined && !(await offers.offer(run))) await takeOverChild(table, run);
  // An order may have been sent before there was a child to receive it, with records whose answer is still on its way.
  await parent.drained();
  const { held } = parent.snapshot;
  if (signal.reason === 'stopped') await orderChild(table, run, { kind: 'cancel', by: parent.run, reason: STOPPED });
  else if (held !== null) await orderChild(table, run, pauseFor(held));
  return null;
}

/** Its own message about its end, which may have arrived since this process looked, is processed first. */
async function settledBefore({ world, hear }: RunStarter, parent: Driver, run: RunId): Promise<ChildSettled> {
  await hear(parent);
  await Promise.all(parent.heard.values());
  return { ...newsOfEnd(foldRecords(await world.journal.read(run))), isFound: true };
}

/** By this process, or by one that it is offered to. */
async function seeToDriving(table: RunStarter, info: RunInfo, offers: Placement | undefined): Promise<void> {
  const { run, driven } = info;
  if (table.drivers.has(run)) return;
  // A waiting child is driven again when a message arrives. Until then the two would only wake each other.
  if (offers !== undefined && (driven || isWaiting(info) || (await offers.offer(run)))) return;
  await takeOverChild(table, run);
}

const isWaiting = ({ status, isWaitingBelow }: RunInfo): boolean => status !== 'running' || isWaitingBelow === true;

/** False if a process that drove the parent before has already started it. */
async function begins(table: RunStarter, parent: Driver, below: ChildBelow): Promise<boolean> {
  try {
    await table.begin(...beginningBelow(table, parent, below));
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'RUN_EXISTS') return false;
    throw error;
  }
}

interface ChildBelow {
  readonly order: ChildOrder;
  readonly isOffered: boolean;
}

/** Another process may have been faster, where there are others. */
async function takeOverChild(table: RunStarter, run: RunId): Promise<void> {
  try {
    await table.takeOver(run);
  } catch (error) {
    const isTaken = isFault(error) && (error.code === 'RUN_BUSY' || error.code === 'RUN_SETTLED');
    if (!isTaken || table.world.placement === undefined) throw error;
  }
}

async function orderChild({ world, drivers, hear }: RunStarter, run: RunId, body: InboxBody): Promise<void> {
  const { journal, newRunId, clock } = world;
  await journal.send(run, { id: newRunId(), at: clock.now(), body: body as unknown as Json });
  const driver = drivers.get(run);
  if (driver !== undefined) await hear(driver);
}

function beginningBelow(
  { world }: RunStarter,
  parent: Driver,
  { order, isOffered }: ChildBelow,
): [StartOptions, ChildBeginning] {
  const run = childRunId(parent.run, order.task);
  const definition = order.definition();
  const turn = order.turn?.();
  const own = turn === undefined ? definition.workflow.limits : parent.snapshot.limits;
  const limits = { ...own, ...childLimits(parent.snapshot, own, world.clock.now()) };
  const { project, tools, unusable } = parent.snapshot;
  const around = { ...NOTHING, tools: tools ?? undefined, unusable: unusable.length === 0 ? undefined : unusable };
  const slot = slotBelow(parent.snapshot, order.task) ?? undefined;
  const at = { workspace: order.workspace(run), slot, ...(isOffered ? { isOffered } : {}), turn };
  return [
    { definition, input: order.input, run, limits, project },
    { parent: parent.run, place: at, around },
  ];
}

export const hostClosed = (): Fault =>
  new Fault('HOST_CLOSED', 'This host was shut down.', { hint: 'Make a new one.' });
