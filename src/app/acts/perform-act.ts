import type { FaultCode } from '../../core/codes/codes.ts';
import type { Json } from '../../core/model/json.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Lease, RunInfo } from '../../journal/port.ts';
import type { KnownSecrets } from '../../secrets/known-secrets.ts';
import { Fault, isFault, unreachable } from '../../core/model/fault.ts';
import type { Surface } from '../../core/record/question-fact.ts';
import type { Act, ImmediateAct, Order } from '../../protocol/operations/acts.ts';
import { quotedWord } from '../../protocol/quoted-words.ts';
import { clusterName, journalAddress } from '../config/project.ts';
import { archiveRun, discardRun } from '../results/discard-run.ts';
import { deliverRun } from '../results/deliver-run.ts';
import { planLine, rollBack, rollbackPlan, rolledBackLine, unchangedLine } from '../results/rollback-run.ts';
import { cancelledLine, cancelRun, pauseRun } from '../runs/pause-run.ts';
import { type Asking, canApprove, type Session, withRun } from '../runs/session.ts';
import type { PreparedAnswer } from '../runs/going-on.ts';
import { canRest } from '../runs/settled-line.ts';
import { tellAgent } from '../runs/tell-agent.ts';
import { driveApart, type DriveProgram } from './drive-apart.ts';
import { requireRole } from './require-role.ts';
import { wishesIn, withOrder } from './with-order.ts';

/** Performs an act for a surface that drives no runs itself; a run that goes on is driven by a separate process. */
export async function performAct(asking: Asking, act: Act, options: ActOptions): Promise<Json> {
  return await checkedAct(asking, act, () => performed(asking, act, options));
}

/** Those that are done when they return. */
export async function performImmediateAct(asking: Asking, act: ImmediateAct, signal: AbortSignal): Promise<Json> {
  return await checkedAct(asking, act, () => doImmediateAct(asking, act, signal));
}

async function checkedAct(asking: Asking, act: Act, perform: () => Promise<Json>): Promise<Json> {
  const {
    caller: { secrets },
    role = 'admin',
  } = asking;
  requireRole(role, act.kind, act);
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
  /** For work that goes on after the answer, such as starting the process that drives the run. */
  readonly later: (work: Promise<unknown>) => void;
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
      return await doImmediateAct(asking, act, options.signal);
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
async function passOrder(asking: Asking, order: Order, program: ActOptions): Promise<Json> {
  if (readsFiles(order)) return { ...(await driveApart(asking, order, program)) };
  return await withOrder(asking, order, {
    purpose: 'pass',
    work: async ({ session, taken, answer }) => {
      if (taken.kind === 'queued') await taken.begin();
      if (taken.kind !== 'here') return { ...answer };
      // The settings of the run's project may name another journal than the one it is in.
      const environment = {
        ...asking.caller.environment,
        TROUPE_JOURNAL: (await journalAddress(asking.caller)) ?? 'local',
        TROUPE_CLUSTER: (await clusterName(asking.caller)) ?? '',
      };
      const place = { ...asking, caller: { ...asking.caller, environment, folder: session.project.root } };
      if (order.kind === 'resume') return { ...(await driveApart(place, order, program)) };
      // A fork exists by now, and an answer is given: the run goes on as any other, with what is wished of its driver.
      const { deliver: _deliver, limits: _limits, setup: _setup, ...ofDriver } = wishesIn(order);
      const resume: Order = { kind: 'resume', run: taken.run, ...ofDriver };
      const goOn = (handedOver?: Lease): Promise<unknown> =>
        driveApart({ ...place, handedOver }, resume, program).catch(ignoreWaiting);
      if (taken.prepare === undefined) await goOn();
      else await passOn(session, await taken.prepare(), { run: taken.run, goOn, later: program.later });
      return { ...answer };
    },
  });
}

/** Waits until the request is recorded; the run is then held until its driver takes it. */
async function passOn(
  session: Session,
  { held, heard }: PreparedAnswer,
  { run, goOn, later }: Pick<ActOptions, 'later'> & { run: RunId; goOn: (lease: Lease) => Promise<unknown> },
): Promise<void> {
  const drive = async (): Promise<void> => {
    try {
      const isAtRest = heard === null && (await canRest(session, run));
      if (!isAtRest) await goOn(held.lease);
    } finally {
      await held.release();
    }
  };
  const driven = drive();
  if (heard === null) return later(driven);
  await driven;
  await heard();
}

/** A fork may begin where the run waits for a person: it still exists. */
function ignoreWaiting(error: unknown): void {
  if (!isFault(error) || !WAITING.has(error.code)) throw error;
}

const WAITING: ReadonlySet<FaultCode> = new Set(['RUN_WAITS', 'LIMIT_REACHED']);

/**
 * A workflow may be code. A process keeps the code that it has loaded once, so only a new one sees what the file holds now; and
 * code of a project is not run in the process that serves all of them.
 */
const readsFiles = (order: Order): boolean =>
  order.kind === 'start' || (order.kind === 'resume' && order.definition === 'new');

async function doImmediateAct(asking: Asking, act: ImmediateAct, signal: AbortSignal): Promise<Json> {
  const named = { named: act.run, purpose: 'look', allowsChild: act.kind === 'tell' } as const;
  // Nothing is made ready for work: a setup that fails must not keep anybody from going back.
  const wishes = act.kind === 'rollback' ? ({ setup: false } as const) : {};
  return await withRun({ ...asking, wishes }, named, (session, info) => performInRun(session, info, { act, signal }));
}

async function performInRun(
  session: Session,
  info: RunInfo,
  { act, signal }: { readonly act: ImmediateAct; readonly signal: AbortSignal },
): Promise<Json> {
  const { run } = info;
  switch (act.kind) {
    case 'tell':
      return { kind: 'agent.told', ...(await tellAgent(session, run, act)) };
    case 'pause':
      await pauseRun(session, info, act.reason ?? `paused ${FACES[session.via]}`);
      return { kind: 'run.paused', run };
    case 'cancel':
      return cancelledLine(run, await cancelRun(session, info, act.reason ?? `cancelled ${FACES[session.via]}`));
    case 'deliver': {
      const { kind: _kind, run: _run, ...request } = act;
      const { outcome } = await deliverRun(session, run, { request, signal });
      return outcome as unknown as Json;
    }
    case 'discard':
      return { ...(await discardRun(session, info, act)) };
    case 'archive':
      return { ...(await archiveRun(session, info, act)) };
    case 'rollback':
      return await rolledBack(session, info, act);
    default:
      return unreachable(act);
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
  { isPreview = false, ...request }: Extract<ImmediateAct, { readonly kind: 'rollback' }>,
): Promise<Json> {
  const { plan, isUnchanged } = await rollbackPlan(session, run, request);
  if (isUnchanged) return unchangedLine(plan);
  if (isPreview) return planLine(plan) as unknown as Json;
  // Also where each file would be left as it is now: whether it is, is seen only when it is done.
  if (!canApprove(session) && plan.projectChanges.length > 0) throw takenBackByPerson(plan.run, request.to);
  return rolledBackLine(plan, await rollBack(session, plan)) as unknown as Json;
}

/** The user's own files are theirs to take back, as an approval is theirs to give. */
const takenBackByPerson = (run: string, to: string): Fault =>
  new Fault('APPROVAL_BY_PERSON', `Rolling run ${run} back changes files of the project, which a person decides.`, {
    hint: `The person runs: troupe rollback ${run} --to ${quotedWord(to)}`,
  });
