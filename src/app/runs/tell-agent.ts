import { Fault } from '../../core/model/fault.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { QueuedReason } from '../../protocol/status-word.ts';
import { whoTakes } from '../workers/queued-run.ts';
import { untilConsumed } from './inbox-wait.ts';
import type { Session } from './session.ts';

export interface MessageReceipt {
  /** The run it is in: the one that was named, or one below it. */
  readonly run: RunId;
  readonly agent: string;
  /** Whether a process drives the run, so that the agent hears it with its next call; otherwise it is kept. */
  readonly isDriven: boolean;
  /** Where no process drives the run: what a worker waits for to take it, now that there is something to hear; absent where this machine is alone. */
  readonly queued?: QueuedReason;
}

/** A person's words to an agent. */
export async function tellAgent(
  { host, store, by }: Session,
  run: RunId,
  { agent: name, text }: { readonly agent: string; readonly text: string },
): Promise<MessageReceipt> {
  if (text.trim() === '') throw new Fault('USAGE', 'The message is empty.');
  const { run: of, agent } = await host.tell(run, { agent: name, text, by });
  const { journal } = store;
  const isDriven = (await journal.run(rootRunId(run)))?.driven === true && (await untilConsumed(journal, [of]));
  return { run: of, agent, isDriven, ...(isDriven ? {} : await whoTakes(store, of)) };
}
