import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { describeError } from '../../app/describe-error.ts';
import type { DriveReport } from '../../app/acts/drive-apart.ts';
import { withOrder, type Ordered } from '../../app/acts/with-order.ts';
import type { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import { SURFACES } from '../../core/record/question-fact.ts';
import { ORDERS } from '../../protocol/operations/acts.ts';
import { askingOf } from '../asking.ts';
import type { Invocation } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { processRequest } from '../session/process-request.ts';
import { driveBegun } from '../session/driving.ts';
import { drivingOf } from './carry-out.ts';

/** `troupe drive`: carries out one order that comes over standard input, for a process that need not wait for it. */
export async function driveCommand(invocation: Invocation): Promise<number> {
  try {
    const { order, ...who } = processRequest(await text(invocation.terminal.stdin), REQUEST, HINT);
    const { terminal } = invocation;
    const quiet = { ...invocation, terminal: { ...terminal, mode: { ...terminal.mode, interactive: false } } };
    return await withOrder({ ...askingOf(quiet), ...who }, order, {
      purpose: 'drive',
      work: (ordered) => carryOut(quiet, ordered),
    });
  } catch (error) {
    report({ kind: 'refused', error: describeError(error) });
    throw error;
  }
}

async function carryOut(invocation: Invocation, { session, taken, answer }: Ordered): Promise<number> {
  const isTaken = (fault: Fault | null): void =>
    report(fault === null ? { kind: 'taken', answer } : { kind: 'refused', error: describeError(fault) });
  if (taken.kind === 'here') return await driveBegun(drivingOf(invocation, session), taken, isTaken);
  if (taken.kind === 'queued') await taken.begin();
  isTaken(null);
  return EXIT.ok;
}

/** From then on the other process need not listen. */
function report(message: DriveReport): void {
  process.send?.(message, undefined, undefined, () => {
    if (process.connected) process.disconnect?.();
  });
}

const order = z.discriminatedUnion('kind', [
  ORDERS.start.request.extend({ kind: z.literal('start') }),
  ORDERS.resume.request.extend({ kind: z.literal('resume') }),
  ORDERS.answer.request.extend({ kind: z.literal('answer') }),
  ORDERS.fork.request.extend({ kind: z.literal('fork') }),
]);

const REQUEST = {
  order,
  by: z.string(),
  via: z.enum(SURFACES),
  allowsApprovals: z.boolean().default(false),
  handedOver: z
    .strictObject({ run: z.string().transform(runId), epoch: z.number(), owner: z.string() })
    .exactOptional(),
  schedule: z.strictObject({ name: z.string(), at: z.number() }).exactOptional(),
};

const HINT = 'troupe drive is for Troupe itself. To start a run: troupe run WORKFLOW --detach';
