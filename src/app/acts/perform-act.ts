import type { Json } from '../../core/json.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { Fault, isFault, unreachable } from '../../core/fault.ts';
import type { Surface } from '../../core/question-fact.ts';
import type { Act, Deed, Order } from '../../protocol/operations/acts.ts';
import { archiveRun } from '../results/archive-run.ts';
import { deliverRun } from '../results/deliver-run.ts';
import { discardRun } from '../results/discard-run.ts';
import { planLine, rollBack, rollbackPlan, rolledBackLine, unchangedLine } from '../results/rollback-run.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { pauseRun } from '../runs/pause-run.ts';
import type { Asking, Session } from '../runs/session.ts';
import { tellAgent } from '../runs/tell-agent.ts';
import { withRun } from '../runs/with-run.ts';
import { driveApart, type DriveProgram } from './drive-apart.ts';
import { withOrder } from './with-order.ts';

/** Does something to runs for a face that drives none itself; what a run needs to go on is driven by a process of its own. */
export async function performAct(asking: Asking, act: Act, options: ActOptions): Promise<Json> {
  return await checkedAct(asking, act, () => performed(asking, act, options));
}

/** Those that are done when they return. */
export async function performDeed(asking: Asking, deed: Deed, signal: AbortSignal): Promise<Json> {
  return await checkedAct(asking, deed, () => doDeed(asking, deed, signal));
}

async function checkedAct({ caller: { secrets } }: Asking, act: Act, perform: () => Promise<Json>): Promise<Json> {
  refuseNul(act);
  try {
    return secrets.redactJson(await perform());
  } catch (error) {
    throw isFault(error) ? redactedFault(error, secrets) : error;
  }
}

export interface ActOptions extends DriveProgram {
  /** Stops a check that takes long; nothing else is left half done. */
  readonly signal: AbortSignal;
}

function redactedFault(fault: Fault, secrets: KnownSecrets): Fault {
  const { message, problems, hint, facts } = fault;
  const shown = { message, problems, facts, ...(hint === undefined ? {} : { hint }) };
  const { message: text, ...rest } = secrets.redactJson(shown as unknown as Json) as unknown as typeof shown;
  return new Fault(fault.code, text, { ...rest, cause: fault });
}

async function performed(asking: Asking, act: Act, options: ActOptions): Promise<Json> {
  switch (act.kind) {
    case 'start':
    case 'resume':
    case 'answer':
    case 'fork':
      return await passOrder(asking, act, options);
    default:
      return await doDeed(asking, act, options.signal);
  }
}

/** No file name, command or line of a terminal can hold it. TEXT_INVALID. */
function refuseNul(act: Act): void {
  JSON.stringify(act, (_name, value: unknown) => {
    if (typeof value === 'string' && value.includes('\0'))
      throw new Fault('TEXT_INVALID', 'A text must not have the character NUL (U+0000) in it.');
    return value;
  });
}

/** Checked here, so that what is wrong is known at once; taken to the process that drives the run, or driven by a new one. */
async function passOrder(asking: Asking, order: Order, program: DriveProgram): Promise<Json> {
  if (readsFiles(order)) return { ...(await driveApart(asking, order, program)) };
  return await withOrder(asking, order, {
    purpose: 'pass',
    work: async ({ session, taken, answer }) => {
      if (taken.kind === 'elsewhere') return { ...answer };
      const place = { ...asking, caller: { ...asking.caller, folder: session.project.root } };
      const isBegun = order.kind === 'fork' || taken.heard !== undefined;
      if (!isBegun) return { ...(await driveApart(place, order, program)) };
      // A fork exists by now, and an answer lies in the inbox: the run goes on as any other that no process drives.
      await driveApart(place, { kind: 'resume', run: taken.run }, program).catch(ignoreWaiting);
      await taken.heard?.();
      return { ...answer };
    },
  });
}

/** A fork may begin where the run waits for a person: it exists all the same. */
function ignoreWaiting(error: unknown): void {
  if (!isFault(error) || !WAITING.has(error.code)) throw error;
}

const WAITING: ReadonlySet<string> = new Set(['RUN_WAITS', 'LIMIT_REACHED']);

/**
 * A workflow may be code. A process keeps the code that it has loaded once, so only a new one sees what the file holds now; and
 * code of a project is not run in the process that serves all of them.
 */
const readsFiles = (order: Order): boolean =>
  order.kind === 'start' || (order.kind === 'resume' && order.definition === 'new');

async function doDeed(asking: Asking, deed: Deed, signal: AbortSignal): Promise<Json> {
  const named = { named: deed.run, purpose: 'look', allowsChild: deed.kind === 'tell' } as const;
  // Nothing is made ready for work: a setup that fails must not keep anybody from going back.
  const wishes = deed.kind === 'rollback' ? ({ setup: false } as const) : {};
  return await withRun({ ...asking, wishes }, named, (session, info) => deedIn(session, info, { deed, signal }));
}

async function deedIn(
  session: Session,
  info: RunInfo,
  { deed, signal }: { readonly deed: Deed; readonly signal: AbortSignal },
): Promise<Json> {
  const { run } = info;
  switch (deed.kind) {
    case 'tell':
      return { kind: 'agent.told', ...(await tellAgent(session, run, deed)) };
    case 'pause':
      await pauseRun(session, info, deed.reason ?? `paused ${FACES[session.via]}`);
      return { kind: 'run.paused', run };
    case 'cancel':
      await cancelRun(session, info, deed.reason ?? `cancelled ${FACES[session.via]}`);
      return { kind: 'run.cancelled', run };
    case 'deliver': {
      const { kind: _kind, run: _run, ...request } = deed;
      const { outcome } = await deliverRun(session, run, { request, signal });
      return outcome as unknown as Json;
    }
    case 'discard':
      return { ...(await discardRun(session, info, deed)) };
    case 'archive':
      return { ...(await archiveRun(session, info, deed)) };
    case 'rollback':
      return await rolledBack(session, info, deed);
    default:
      return unreachable(deed);
  }
}

/** Where somebody acted, in words. */
const FACES: Readonly<Record<Surface, string>> = {
  terminal: 'on the command line',
  script: 'on the command line',
  page: 'on the page',
  mcp: 'over MCP',
  library: 'by a program',
};

async function rolledBack(
  session: Session,
  { run }: RunInfo,
  { isPreview = false, ...request }: Extract<Deed, { readonly kind: 'rollback' }>,
): Promise<Json> {
  const { plan, isUnchanged } = await rollbackPlan(session, run, request);
  if (isUnchanged) return unchangedLine(plan);
  if (isPreview) return planLine(plan) as unknown as Json;
  return rolledBackLine(plan, await rollBack(session, plan)) as unknown as Json;
}
