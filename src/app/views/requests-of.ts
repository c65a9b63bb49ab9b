import { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { RequestLine } from '../../protocol/request-trace.ts';
import type { Shown, View } from '../../protocol/operations/views.ts';
import { type Asking, type Session, withRun } from '../runs/session.ts';
import { requestLines } from '../trace/trace-requests.ts';
import { tracedCalls } from '../trace/traced-calls.ts';
import { WholeRequests } from '../trace/view-request.ts';

export interface RunRequests {
  readonly all: readonly RequestLine[];
  readonly whole: WholeRequests;
}

/** Every request of a run as it left, from the journal. */
export async function runRequests({ store, world, actors }: Session, run: RunId): Promise<RunRequests> {
  const place = { world, actors, journal: store.journal };
  const all = await requestLines(store, run, place);
  return { all, whole: new WholeRequests(all, () => tracedCalls(store.journal, run), place) };
}

/** By the number that the list has. */
export function requestNumbered(all: readonly RequestLine[], call: number): RequestLine {
  const found = all[call - 1];
  if (found !== undefined) return found;
  const range = all.length === 0 ? 'There are none.' : `They are numbered from 1 to ${all.length}.`;
  throw new Fault('USAGE', `There is no request ${call}.`, { hint: `${range} Leave --call out to see them.` });
}

export async function requestsOf(
  asking: Asking,
  { run: named, call }: Extract<View, { readonly kind: 'requests' }>,
): Promise<Shown<'requests'>> {
  return await withRun(asking, { named, purpose: 'look', allowsChild: true }, async (session, { run }) => {
    const { all, whole } = await runRequests(session, run);
    if (call === undefined) return requestList(run, all);
    return { kind: 'request', ...(await whole.view(requestNumbered(all, call))) };
  });
}

/** For programs. */
export const requestList = (run: RunId, items: readonly RequestLine[]) =>
  ({ kind: 'requests', run, items, next: null }) as const;
