import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import type { LogLine } from '../../protocol/log-lines/log-line.ts';
import { watchChanges } from '../../app/runs/journal-changes.ts';
import { RunLines } from '../../app/observers/logs/run-lines.ts';

export interface PrintedLines {
  readonly run: RunId;
  /** Only of this agent. */
  readonly agent?: string | undefined;
  /** Asked when everything so far was printed: is that all? */
  readonly isOver: () => Promise<boolean>;
  readonly write: (text: string) => void;
}

/** How long a silent journal is trusted: a driver that was killed writes nothing to say so. */
const PATIENCE_MS = 500;

/** `troupe logs RUN --json-lines`: what the log files hold, from the journal, so it is whole also where they are gone. */
export async function printLogLines(journal: Journal, { run, agent, isOver, write }: PrintedLines): Promise<void> {
  const lines = new RunLines(journal, run);
  const isWanted = ({ agent_id }: LogLine): boolean => agent === undefined || agent_id === agent;
  const changes = watchChanges(journal);
  try {
    for (;;) {
      // Asked before reading: whatever was written before the end is then certainly read.
      const isLast = await isOver();
      const news = await lines.readOn();
      for (const line of news.filter(isWanted)) write(`${JSON.stringify(line)}\n`);
      if (isLast) return;
      if (news.length === 0) await changes.next(PATIENCE_MS);
    }
  } finally {
    changes.close();
  }
}
