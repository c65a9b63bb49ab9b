import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import { runView, type RunView } from '../../protocol/run-view.ts';

/** A run as the journal alone shows it, with the questions of its children. */
export async function runPicture(journal: Journal, run: RunId, folder: string | null): Promise<RunView> {
  const [info, snapshot, children] = await Promise.all([
    journal.run(run),
    snapshotOf(journal, run),
    journal.runs({ parent: run }),
  ]);
  const names = children.map((child) => child.run).toReversed();
  const view = runView(snapshot, { folder, children: names, driven: info?.driven ?? false });
  if (view.status === 'settled') return view;
  const below = await Promise.all(children.filter(isOpen).map((child) => runPicture(journal, child.run, null)));
  const questions = [...view.questions, ...below.flatMap((child) => seenFromAbove(run, child))];
  return { ...view, questions, status: statusWith(view, questions) };
}

export async function snapshotOf(journal: Journal, run: RunId): Promise<Snapshot> {
  return foldRecords(await journal.read(run));
}

/** A question is named by the way down to the run that asks it, so that two children may ask the same. */
function seenFromAbove(parent: RunId, child: RunView): readonly QuestionView[] {
  const way = child.run.slice(parent.length + 1);
  return child.questions.map((question) => ({ ...question, id: `${way}/${question.id}` }));
}

const isOpen = (info: RunInfo): boolean => info.status !== 'settled';

/** A child that asks makes its parent wait. */
function statusWith(view: RunView, questions: readonly QuestionView[]): RunView['status'] {
  if (view.status !== 'running' || questions.length === 0) return view.status;
  return questions.some((question) => question.kind === 'limit') ? 'paused' : 'waiting';
}
