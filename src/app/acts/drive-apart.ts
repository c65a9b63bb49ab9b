import { faultCodeOf } from '../../core/codes/codes.ts';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, type FaultOptions } from '../../core/model/fault.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { describeError, type ErrorLine } from '../describe-error.ts';
import type { Asking } from '../runs/session.ts';
import type { OrderAnswer } from './with-order.ts';

/** How one process of Troupe gives an order to another: over standard input, since every user can read a process's arguments (R2). */
export interface DriveRequest extends Pick<Asking, 'by' | 'via' | 'allowsApprovals' | 'handedOver' | 'schedule'> {
  readonly protocol: typeof PROTOCOL;
  readonly order: Order;
}

export const PROTOCOL = 1;

/** The single report of the driving process: the run is under way, or why not. */
export type DriveReport =
  | { readonly kind: 'taken'; readonly answer: OrderAnswer }
  | { readonly kind: 'refused'; readonly error: ErrorLine };

export interface DriveProgram {
  /** The program that this is, to be started again. */
  readonly entry: string;
  /** The engine's own folder, which keeps what the process says. */
  readonly home: string;
}

/** Carries out an order in a separate process, which outlives this one, and waits until the run is under way. */
export async function driveApart(asking: Asking, order: Order, { entry, home }: DriveProgram): Promise<OrderAnswer> {
  makeFolder(home, 0o700);
  const child = startDriving(asking, entry, join(home, 'detached.log'));
  const { by, via, allowsApprovals = false, handedOver, schedule } = asking;
  const request: DriveRequest = { protocol: PROTOCOL, order, by, via, allowsApprovals, handedOver, schedule };
  // A process that ends before it has read its request reports why in its own way.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(request));
  const { promise, resolve } = Promise.withResolvers<DriveReport>();
  child.on('message', (message) => resolve(message as DriveReport));
  child.on('error', (error) => resolve({ kind: 'refused', error: describeError(error) }));
  // Not its exit: what it said last may still be on its way.
  child.on('close', (code) => resolve({ kind: 'refused', error: endedEarly(code) }));
  const report = await promise;
  child.unref();
  if (child.connected) child.disconnect();
  if (report.kind === 'taken') return report.answer;
  throw new Fault(faultCodeOf(report.error.code), report.error.message, faultOptions(report.error));
}

/** The process has the log by then; this one may start many. */
function startDriving({ caller }: Asking, entry: string, file: string) {
  const log = openSync(file, 'a', 0o600);
  try {
    return spawn(process.execPath, [entry, 'drive'], {
      detached: true,
      stdio: ['pipe', 'ignore', log, 'ipc'],
      cwd: caller.folder,
      env: caller.environment,
    });
  } finally {
    closeSync(log);
  }
}

function endedEarly(code: number | null): ErrorLine {
  return describeError(
    new Fault('DETACH_FAILED', `The background process ended with ${code} before the run had started.`),
  );
}

function faultOptions({ problems, hint }: ErrorLine): FaultOptions {
  return { problems, ...(hint === undefined ? {} : { hint }) };
}
