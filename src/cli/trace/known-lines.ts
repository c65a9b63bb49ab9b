import { rootRunId, type RunId } from '../../core/ids.ts';
import { contentHash } from '../../journal/content-hash.ts';
import type { Journal } from '../../journal/port.ts';
import type { RequestLine } from '../../protocol/request-trace.ts';
import type { Store } from '../session/store.ts';
import type { TracePlace } from './build-body.ts';
import { traceRequests } from './trace-requests.ts';
import { tracedCalls } from './traced-calls.ts';

interface KnownLines {
  /** Stands for all that the lines are made of: the records, and how models are configured. */
  readonly state: string;
  readonly lines: Promise<readonly RequestLine[]>;
}

/** Of the runs that were looked at last in this process: a server is asked for the same ones again and again. */
const KNOWN = new Map<string, KnownLines>();

const MOST = 8;

/** A line for every request of a run and of those below it. While no record is added, they are made once. */
export async function requestLines(
  { home, journal }: Store,
  run: RunId,
  place: TracePlace,
): Promise<readonly RequestLine[]> {
  const key = `${home} ${run}`;
  const { config, overrides, cast } = place.actors;
  const tips = await tipsBelow(journal, rootRunId(run));
  const state = contentHash(JSON.stringify([tips, config, overrides, cast]));
  const known = KNOWN.get(key);
  if (known?.state === state) return await known.lines;
  const lines = tracedCalls(journal, run).then((calls) => traceRequests(calls, place));
  const made = { state, lines };
  KNOWN.delete(key);
  KNOWN.set(key, made);
  for (const oldest of [...KNOWN.keys()].slice(0, -MOST)) KNOWN.delete(oldest);
  lines.catch(() => KNOWN.get(key) === made && KNOWN.delete(key));
  return await lines;
}

/** The shared text comes from the run at the top, so the whole tree counts. */
async function tipsBelow(journal: Pick<Journal, 'run' | 'runs'>, root: RunId): Promise<readonly string[]> {
  const tips = [(await journal.run(root))?.tip ?? ''];
  const open = [root];
  for (const run of open) {
    for (const child of await journal.runs({ parent: run })) {
      tips.push(`${child.run} ${child.tip}`);
      open.push(child.run);
    }
  }
  return tips;
}
