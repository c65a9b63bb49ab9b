import { waitingFault, waitingLine } from '../../app/runs/still-waiting.ts';
import type { RunInfo } from '../../journal/port.ts';
import { exitCodeOfFault } from '../exit-code.ts';
import { createRunPrinter } from '../terminal/run-printer.ts';
import { canAsk } from '../terminal/terminal.ts';
import type { Driving } from './driving.ts';

/**
 * A resumed run that waits for an answer or stands at its limit would stop again at once: reports what it waits for, and leaves
 * no record. Null where it can go on, where this command line changes it, or where a person can be asked here.
 */
export async function stillWaiting(driving: Driving, info: RunInfo): Promise<number | null> {
  const { terminal } = driving;
  if (driving.opensPage || canAsk(terminal)) return null;
  const line = await waitingLine(driving, info);
  if (line === null) return null;
  const fault = waitingFault(line);
  if (!terminal.mode.json) throw fault;
  createRunPrinter({ root: info.run, ...terminal }).settled(line);
  return exitCodeOfFault(fault.code);
}
