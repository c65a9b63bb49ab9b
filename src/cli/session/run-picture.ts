import type { JournalRecord } from '../../core/fact.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { agentViews } from '../../protocol/agent-view.ts';
import { questionsFromAbove } from '../../protocol/question-view.ts';
import { runStatus, runView, type RunView } from '../../protocol/run-view.ts';

/** A run as the journal alone shows it, with the questions of its children. */
export async function runPicture(journal: Journal, run: RunId, folder: string | null): Promise<RunView> {
  const [info, records, children] = await Promise.all([
    journal.run(run),
    journal.read(run),
    journal.runs({ parent: run }),
  ]);
  const names = children.map((child) => child.run).toReversed();
  const title = info === undefined || info.title === '' ? {} : { title: info.title };
  const agents = agentViews(records);
  const played = agents.length === 0 ? {} : { agents };
  const surroundings = { folder, children: names, driven: info?.driven ?? false, ...title, ...played };
  const snapshot = foldRecords(records);
  const view = runView(snapshot, { ...surroundings, ...endOf(records, snapshot) });
  if (view.status === 'settled') return view;
  const open = children.filter(isOpen).toReversed();
  const below = await Promise.all(open.map((child) => runPicture(journal, child.run, null)));
  const questions = [
    ...view.questions,
    ...below.flatMap((child) => questionsFromAbove(run, child.run, child.questions)),
  ];
  return { ...view, questions, status: runStatus(snapshot, questions) };
}

function endOf(records: readonly JournalRecord[], { status }: Snapshot): { readonly endedAt?: number } {
  const settled = records.findLast(({ fact }) => fact.kind === 'run.settled');
  return settled === undefined || status !== 'settled' ? {} : { endedAt: settled.at };
}

const isOpen = (info: RunInfo): boolean => info.status !== 'settled';
