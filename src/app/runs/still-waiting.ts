import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { RunInfo } from '../../journal/port.ts';
import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import { nextCommands } from '../../protocol/next-commands.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import type { RunView } from '../../protocol/run-view.ts';
import { existingFolder } from './run-folder-path.ts';
import { runPicture } from './run-picture.ts';
import type { Session } from './session.ts';
import { limitOf } from '../../protocol/limit-of.ts';
import { settledLine } from './settled-line.ts';
import { changedTerms } from './terms.ts';

/**
 * Where a run that is resumed would stop again at once, because it waits for an answer or stands at its limit. Null where it can
 * go on, or where a wish changes it.
 */
export async function waitingLine(session: Session, info: RunInfo): Promise<SettledLine | null> {
  const { host, store } = session;
  if (info.driven) return null;
  const [snapshot, view] = await Promise.all([host.snapshot(info.run), runPicture(store.journal, info.run, null)]);
  if (isChanging(session, snapshot) || !canOnlyWait(snapshot, view)) return null;
  // An answer or a higher limit may have arrived while no process drove the run.
  const inboxes = [info.run, ...view.questions.map(({ run }) => runId(run))].map((run) => store.journal.inbox(run));
  if ((await Promise.all(inboxes)).some((messages) => messages.length > 0)) return null;
  return settledLine(await host.rest(info.run), existingFolder(store.home, info.run));
}

const isChanging = (session: Session, { terms }: Snapshot): boolean =>
  (session.wishes.models ?? []).length > 0 ||
  session.wishes.sandbox !== undefined ||
  changedTerms(session, terms) !== undefined;

/** A run with a question may have other work under way, which goes on. */
const canOnlyWait = ({ clock }: Snapshot, { status, questions }: RunView): boolean =>
  status === 'paused'
    ? questions.some((question) => limitOf(question) !== null)
    : status === 'waiting' && clock.waitsSince !== null;

export function waitingFault(line: SettledLine): Fault {
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
