import type { JournalRecord } from '../../core/record/fact.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import { openChildren } from '../../core/fold/open-children.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { treeCost } from '../../core/fold/tree-cost.ts';
import { timeNow } from '../../core/fold/work-clock.ts';
import type { Journal } from '../../journal/port.ts';
import { agentViews } from '../../protocol/agent-view.ts';
import { foldHistory } from '../../protocol/history/history-fold.ts';
import { overlapViews } from '../../protocol/overlap-view.ts';
import { questionsIn } from '../../protocol/question-view.ts';
import { runStatus, runView, type RunView } from '../../protocol/run-view.ts';

/** A run as the journal alone shows it, with the questions and the cost of its children. */
export async function runPicture(journal: Journal, run: RunId, folder: string | null): Promise<RunView> {
  const [info, records, children] = await Promise.all([
    journal.run(run),
    journal.read(run),
    journal.runs({ parent: run }),
  ]);
  const live = new Map<RunId, Snapshot>();
  const snapshot = await readLive(journal, { run, records }, live);
  const find = (one: RunId): Snapshot | undefined => live.get(one);
  const agents = agentViews(foldHistory(run, records).agents);
  const driven = info?.driven ?? false;
  const questions = snapshot.status === 'settled' ? [] : questionsIn(snapshot, find);
  const lastAt = [...live.values()].reduce((latest, { at }) => Math.max(latest, at), 0);
  const overlaps = overlapViews(snapshot, find);
  const surroundings = {
    folder,
    children: children.map((child) => child.run).toReversed(),
    driven,
    ...(info === undefined || info.title === '' ? {} : { title: info.title }),
    ...(agents.length === 0 ? {} : { agents }),
  };
  return {
    ...runView(snapshot, surroundings),
    questions,
    status: runStatus(snapshot, questions),
    time: timeNow(snapshot.clock, { isDriven: driven, now: Date.now(), lastAt, wakesAt: info?.wakesAt }),
    ...treeCost(snapshot, find),
    ...(overlaps.length === 0 ? {} : { overlaps }),
  };
}

/** Folds a run and those under way below it. */
async function readLive(
  journal: Journal,
  { run, records }: { readonly run: RunId; readonly records: readonly JournalRecord[] },
  live: Map<RunId, Snapshot>,
): Promise<Snapshot> {
  const snapshot = foldRecords(records);
  live.set(run, snapshot);
  if (snapshot.status === 'settled') return snapshot;
  for (const { run: child } of openChildren(snapshot)) {
    // It is announced before it begins.
    if ((await journal.run(child)) === undefined) continue;
    await readLive(journal, { run: child, records: await journal.read(child) }, live);
  }
  return snapshot;
}
