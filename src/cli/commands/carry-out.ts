import { type Ordered, withOrder } from '../../app/acts/with-order.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import { flag, type Invocation, word } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { driveBegun } from '../session/driving.ts';
import type { DrivingSession } from '../session/driving-types.ts';
import { LeftRun, terminalFace } from '../session/terminal-face.ts';
import { driveApart } from '../../app/acts/drive-apart.ts';
import { type Looking, storeHome, withStore } from '../../app/world/store.ts';
import { Fault } from '../../core/model/fault.ts';
import { type Session, withRun } from '../../app/runs/session.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { onInterrupt } from '../session/interrupt.ts';
import type { RunInfo } from '../../journal/port.ts';
import { printAnswer, printDone } from '../terminal/terminal.ts';
import { rootRunId } from '../../core/model/ids.ts';

/** Opens the run that the first word names; one below another where the command is for these as well. */
export async function withNamedRun<Result>(
  invocation: Invocation,
  work: (driving: DrivingSession, info: RunInfo) => Promise<Result>,
  { allowsChild = false }: { readonly allowsChild?: boolean } = {},
): Promise<Result> {
  const named = { named: runWord(invocation), purpose: 'look', allowsChild } as const;
  return await withRun(askingOf(invocation), named, (session, info) => work(drivingOf(invocation, session), info));
}

/** The run that the first word names, or the newest. */
const runWord = (invocation: Invocation): string => word(invocation, 0) ?? 'last';

export const drivingOf = (invocation: Invocation, session: Session): DrivingSession => ({
  ...session,
  terminal: invocation.terminal,
  opensPage: flag(invocation, 'web'),
});

/** Carries an order out here, with the terminal watching and asking; the result is the exit code. */
export async function carryOut(
  invocation: Invocation,
  order: Order,
  work: (ordered: Ordered) => Promise<number> = (ordered) => follow(invocation, ordered),
): Promise<number> {
  const { terminal } = invocation;
  const asking = askingOf(invocation);
  const wanted = order.kind === 'resume' ? order.definition : undefined;
  const face = terminalFace(terminal, { opensPage: flag(invocation, 'web'), wanted });
  try {
    return await withOrder(asking, { ...order, ...asking.wishes }, { purpose: 'drive', work, face });
  } catch (error) {
    if (error instanceof LeftRun) return EXIT.interrupted;
    throw error;
  }
}

/** Stays with the run until it rests, or says which process drives it. */
export async function follow(invocation: Invocation, { session, taken, answer }: Ordered): Promise<number> {
  if (taken.kind !== 'elsewhere') return await driveBegun(drivingOf(invocation, session), taken);
  const { terminal } = invocation;
  printDone(terminal, answer, elsewhereText(session, answer));
  return EXIT.ok;
}

function elsewhereText({ wishes }: Ordered['session'], { kind, run }: Ordered['answer']): string {
  if (kind === 'answer.taken') return `Answered. Follow the run with: troupe watch ${rootRunId(run)}`;
  const isUnchanged = Object.keys(wishes.limits ?? {}).length === 0;
  const what = isUnchanged
    ? 'The run continues where it is driven'
    : 'The process that drives the run has the new limit';
  return `${what}. Follow it with: troupe watch ${run}`;
}

/** Carries the order out in the background, and prints the run once it is under way. */
export async function detachAndPrint(invocation: Invocation, order: Order): Promise<number> {
  refuseWeb(invocation);
  const asking = askingOf(invocation);
  const program = { entry: process.argv[1] ?? '', home: storeHome(invocation.terminal) };
  const { kind, run } = await driveApart(asking, { ...order, ...asking.wishes }, program);
  printAnswer(invocation.terminal, { kind, run }, () => run);
  return EXIT.ok;
}

export function refuseWeb(invocation: Invocation): void {
  if (!flag(invocation, 'web')) return;
  throw new Fault('USAGE', '--web and --detach do not go together: the page would end with this process.', {
    hint: 'Leave --web out, and open the page with: troupe serve',
  });
}

/** Opens the journal for as long as the work takes. */
export async function withLooking<Result>(
  { terminal, version }: Invocation,
  work: (looking: Looking) => Promise<Result>,
): Promise<Result> {
  return await withStore(terminal, (store) => work({ caller: terminal, store, version }));
}

/** The same, with the run that the first word names. */
export async function lookAtRun<Result>(
  invocation: Invocation,
  work: (looking: Looking, info: RunInfo) => Promise<Result>,
): Promise<Result> {
  const { folder } = invocation.terminal;
  return await withLooking(invocation, async (looking) =>
    work(looking, await findRun(looking.store.journal, runWord(invocation), folder)),
  );
}

/** Ends with what the work gives, or at once when a person interrupts it. */
export async function untilInterrupted(work: Promise<number>): Promise<number> {
  const interrupt = onInterrupt();
  const ended = await Promise.race([work, interrupt.asked]);
  interrupt.stop();
  return ended === 'interrupted' ? EXIT.interrupted : ended;
}
