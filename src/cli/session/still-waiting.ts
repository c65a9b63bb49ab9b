import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { exitCodeOfFault } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { createRunPrinter } from '../terminal/run-printer.ts';
import { canAsk } from '../terminal/terminal.ts';
import { reportRefused } from './detach.ts';
import type { Driving } from './driving.ts';
import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { nextCommands } from './next-step.ts';
import { existingFolder } from '../../app/runs/run-folder-path.ts';
import { runPicture } from '../../app/runs/run-picture.ts';
import { changedTerms } from '../../app/runs/terms.ts';
import { limitOf, settledLine } from '../../app/runs/settled-line.ts';

/**
 * A resumed run that waits for an answer or stands at its limit would stop again at once: reports what it waits for, and leaves
 * no record. Null where it can go on, where this command line changes it, or where a person can be asked here.
 */
export async function stillWaiting(driving: Driving, info: RunInfo): Promise<number | null> {
  const { host, store, invocation } = driving;
  const { terminal, options } = invocation;
  const json = flag(invocation, 'json');
  if (info.driven || canAsk(terminal, { interactive: options['interactive'] !== false, json })) return null;
  const [snapshot, view] = await Promise.all([host.snapshot(info.run), runPicture(store.journal, info.run, null)]);
  if (isChanging(driving, snapshot) || !canOnlyWait(snapshot, view)) return null;
  // An answer or a higher limit may have arrived while no process drove the run.
  const inboxes = [info.run, ...view.questions.map(({ run }) => runId(run))].map((run) => store.journal.inbox(run));
  if ((await Promise.all(inboxes)).some((messages) => messages.length > 0)) return null;
  const line = settledLine(await host.rest(info.run), existingFolder(store.home, info.run));
  const fault = waitingFault(line);
  if (!json) throw fault;
  reportRefused(terminal, fault);
  createRunPrinter({ json, root: info.run, ...terminal }).settled(line);
  return exitCodeOfFault(fault.code);
}

const isChanging = (driving: Driving, { terms }: Snapshot): boolean =>
  (driving.wishes.models ?? []).length > 0 ||
  driving.wishes.sandbox !== undefined ||
  flag(driving.invocation, 'web') ||
  changedTerms(driving, terms) !== undefined;

/** A run with a question may have other work under way, which goes on. */
const canOnlyWait = ({ clock }: Snapshot, { status, questions }: RunView): boolean =>
  status === 'paused'
    ? questions.some((question) => limitOf(question) !== null)
    : status === 'waiting' && clock.waitsSince !== null;

function waitingFault(line: SettledLine): Fault {
  const { run, question } = line;
  const limit = limitOf(question);
  if (question !== null && limit !== null)
    return new Fault(
      'LIMIT_REACHED',
      `Run ${run} stands at ${line.failure?.code}: ${question.text.replace(/ Go on\?$/, '')}`,
      { hint: `Give a higher limit: troupe resume ${run} ${LIMIT_FLAGS[limit]}` },
    );
  const asked = (line.questions ?? (question === null ? [] : [question])).map(({ name, text }) => `${name}: ${text}`);
  const commands = nextCommands(line).filter((command) => command.startsWith('troupe answer '));
  const what = asked.length === 1 ? `an answer to ${asked[0]}` : `${asked.length} answers:\n  ${asked.join('\n  ')}`;
  return new Fault('RUN_WAITS', `Run ${run} waits for ${what}`, { hint: `Answer it: ${commands.join('\n  ')}` });
}
