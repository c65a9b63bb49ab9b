import { questionsIn, type QuestionView } from '../../../src/protocol/question-view.ts';
import { liveRunsOf, type RunTree } from '../../model/run-tree.ts';
import { agentsAtWork } from '../../../src/core/fold/live-runs.ts';
import { jsonText } from '../../../src/core/model/json.ts';
import type { PageRecord, RecordPage } from '../../../src/protocol/web/record-page.ts';
import { api, runPath } from '../../api/client.ts';

/** The open questions of a tree, named from its root. */
export function treeQuestions(tree: RunTree): readonly QuestionView[] {
  const root = tree.runs.get(tree.root);
  return root === undefined ? [] : questionsIn(root.snapshot, (run) => tree.runs.get(run)?.snapshot);
}

export const areSameQuestions = (a: readonly QuestionView[], b: readonly QuestionView[]): boolean =>
  a.length === b.length && a.every((question, place) => isSame(question, b[place]));

const isSame = (a: QuestionView, b: QuestionView | undefined): boolean =>
  a.id === b?.id && a.run === b.run && a.name === b.name && a.text === b.text;

/** The work that continues while a question waits, in a sentence. */
export function meanwhile(tree: RunTree): string {
  const open = liveRunsOf(tree);
  if (open.some(({ snapshot }) => snapshot.paused !== null)) return 'Nothing new starts until it is answered.';
  const names = agentsAtWork(open.map(({ snapshot }) => snapshot));
  if (names.length === 0) return 'Nothing else continues: the run waits for you, without a limit on time.';
  const verb = names.length === 1 ? 'works' : 'work';
  return `Meanwhile ${names.join(', ')} ${verb} on.`;
}

/** So far back from the newest record an answer is looked for. */
const LATEST = 1000;

/** Who was first, in a sentence; null where the journal does not say. */
export async function whoAnswered(question: QuestionView): Promise<string | null> {
  const path = runPath(question.run, '/records');
  const { seq } = await api.get<RecordPage>(path, { limit: 1 });
  const { records } = await api.get<RecordPage>(path, { after: Math.max(0, seq - LATEST), limit: LATEST });
  return answerIn(records, question);
}

export function answerIn(records: readonly PageRecord[], question: QuestionView): string | null {
  const id = ownId(question);
  for (const { record } of records.toReversed()) {
    const { fact } = record;
    if (fact.kind === 'question.answered' && fact.question === id)
      return `${fact.by} answered first: ${jsonText(fact.answer)}`;
  }
  return null;
}

/** As the run that asks calls it: without the way down that its name has, seen from above. */
function ownId({ id, name }: QuestionView): string {
  const way = name.slice(0, name.lastIndexOf('/') + 1);
  return id.startsWith(way) ? id.slice(way.length) : id;
}
