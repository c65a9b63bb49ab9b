import type { RunId } from '../core/model/ids.ts';
import { openChildren } from '../core/fold/open-children.ts';
import { openQuestions, type OpenQuestion } from '../core/look/open-questions.ts';
import type { Snapshot } from '../core/fold/snapshot.ts';
import { namedRun } from './named-run.ts';
import type { QuestionView } from './operations/answers/question.ts';

export type { QuestionView } from './operations/answers/question.ts';

export function questionView(run: string, question: OpenQuestion): QuestionView {
  const { text, code: _code, ...rest } = question;
  return { ...rest, run, text: namedRun(text, run) };
}

/**
 * The open questions of a run and of the active runs below it. A question is named by the path to the run that asks it, so that
 * two children may ask the same.
 */
export function questionsIn(
  snapshot: Snapshot,
  find: (run: RunId) => Snapshot | undefined,
  root: string = snapshot.run,
): readonly QuestionView[] {
  const way = snapshot.run === root ? '' : `${snapshot.run.slice(root.length + 1)}/`;
  const own = openQuestions(snapshot).map((question) => {
    const view = questionView(snapshot.run, question);
    return { ...view, id: `${way}${view.id}`, name: `${way}${view.name}` };
  });
  const below = openChildren(snapshot).flatMap(({ run }) => {
    const child = find(run);
    return child === undefined ? [] : questionsIn(child, find, root);
  });
  return [...own, ...below];
}
