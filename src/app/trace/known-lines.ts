import { rootRunId, type RunId } from '../../core/ids.ts';
import { contentHash } from '../../journal/content-hash.ts';
import type { RequestLine } from '../../protocol/request-trace.ts';
import { runsBelow } from '../runs/tree-reader.ts';
import type { Store } from '../world/store.ts';
import type { TracePlace } from './traced-body.ts';
import { RequestTrace } from './trace-requests.ts';
import { tracedCalls } from './traced-calls.ts';

interface KnownLines {
  /** How models are configured: what the requests are built with, besides the records. */
  readonly settings: string;
  readonly trace: RequestTrace;
  /** Stands for all records that the lines are made of. */
  readonly tips: string;
  readonly lines: Promise<readonly RequestLine[]>;
}

/** Of the runs that were looked at last in this process: a server is asked for the same ones again and again. */
const KNOWN = new Map<string, KnownLines>();

const MOST = 8;

/** A line for every request of a run and of those below it. As records are added, only what is new is built. */
export async function requestLines(
  { home, journal }: Store,
  run: RunId,
  place: TracePlace,
): Promise<readonly RequestLine[]> {
  const key = `${home} ${run}`;
  const { config, overrides, cast } = place.actors;
  const settings = contentHash(JSON.stringify([config, overrides, cast]));
  // The shared text comes from the run at the top, so the whole tree counts.
  const runs = await runsBelow(journal, rootRunId(run));
  const tips = contentHash(JSON.stringify(runs.map((one) => [one.run, one.tip])));
  const kept = KNOWN.get(key);
  const known = kept?.settings === settings ? kept : undefined;
  if (known?.tips === tips) return await known.lines;
  const trace = known?.trace ?? new RequestTrace();
  const lines = Promise.resolve(known?.lines).then(async () => trace.update(await tracedCalls(journal, run), place));
  const made = { settings, trace, tips, lines };
  KNOWN.delete(key);
  KNOWN.set(key, made);
  for (const oldest of [...KNOWN.keys()].slice(0, -MOST)) KNOWN.delete(oldest);
  lines.catch(() => KNOWN.get(key) === made && KNOWN.delete(key));
  return await lines;
}
