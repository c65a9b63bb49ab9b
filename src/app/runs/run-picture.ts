import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import { openChildren } from '../../core/open-children.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { treeCost } from '../../core/tree-cost.ts';
import { timeNow } from '../../core/work-clock.ts';
import type { Journal } from '../../journal/port.ts';
import { agentViews } from '../../protocol/agent-view.ts';
import { foldHistory } from '../../protocol/history/history-fold.ts';
import { questionsFromAbove } from '../../protocol/question-view.ts';
import { runStatus, runView, type RunView } from '../../protocol/run-view.ts';

/** A run as the journal alone shows it, with the questions and the cost of its children. */
export async function runPicture(journal: Journal, run: RunId, folder: string | null): Promise<RunView> {
  const snapshots = new Map<RunId, Snapshot>();
  const view = await pictureOf(journal, run, { folder, snapshots });
  const snapshot = snapshots.get(run);
  if (snapshot === undefined) return view;
  const lastAt = [...snapshots.values()].reduce((latest, { at }) => Math.max(latest, at), 0);
  const time = timeNow(snapshot.clock, { isDriven: view.driven, now: Date.now(), lastAt });
  return { ...view, time, ...treeCost(snapshot, (one) => snapshots.get(one)) };
}

interface Seen {
  readonly folder: string | null;
  /** The run and those under way below it. */
  readonly snapshots: Map<RunId, Snapshot>;
}

async function pictureOf(journal: Journal, run: RunId, { folder, snapshots }: Seen): Promise<RunView> {
  const [info, records, children] = await Promise.all([
    journal.run(run),
    journal.read(run),
    journal.runs({ parent: run }),
  ]);
  const names = children.map((child) => child.run).toReversed();
  const title = info === undefined || info.title === '' ? {} : { title: info.title };
  const agents = agentViews(foldHistory(run, records).agents);
  const played = agents.length === 0 ? {} : { agents };
  const surroundings = { folder, children: names, driven: info?.driven ?? false, ...title, ...played };
  const snapshot = foldRecords(records);
  snapshots.set(run, snapshot);
  const view = runView(snapshot, surroundings);
  if (view.status === 'settled') return view;
  const waited = new Set(openChildren(snapshot).map((child) => child.run));
  const open = children.filter((child) => child.status !== 'settled' || waited.has(child.run)).toReversed();
  const below = await Promise.all(open.map((child) => pictureOf(journal, child.run, { folder: null, snapshots })));
  const questions = [
    ...view.questions,
    ...below.flatMap((child) => questionsFromAbove(run, child.run, child.questions)),
  ];
  return { ...view, questions, status: runStatus(snapshot, questions) };
}
