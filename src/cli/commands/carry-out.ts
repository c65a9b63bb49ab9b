import { withOrder, type Ordered } from '../../app/acts/with-order.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { driveBegun } from '../session/driving.ts';
import { LeftRun, terminalFace } from '../session/terminal-face.ts';
import { drivingOf } from './with-run.ts';

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

/** Drives the run until it rests, or says which process does. */
export async function follow(invocation: Invocation, { session, taken, answer }: Ordered): Promise<number> {
  if (taken.kind === 'here') return await driveBegun(drivingOf(invocation, session), taken);
  const { terminal } = invocation;
  if (terminal.mode.json) terminal.stdout.write(`${JSON.stringify(answer)}\n`);
  else terminal.stderr.write(`${elsewhereText(session, answer)}\n`);
  return EXIT.ok;
}

function elsewhereText({ wishes }: Ordered['session'], { kind, run }: Ordered['answer']): string {
  if (kind === 'answer.taken') return `Answered. Follow the run with: troupe watch ${rootRun(run)}`;
  const isUnchanged = Object.keys(wishes.limits ?? {}).length === 0;
  const what = isUnchanged ? 'The run goes on where it is driven' : 'The process that drives the run has the new limit';
  return `${what}. Follow it with: troupe watch ${run}`;
}
