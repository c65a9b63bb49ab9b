import { openChildren } from '../../../src/core/open-children.ts';
import { openQuestions } from '../../../src/core/open-questions.ts';
import type { Snapshot } from '../../../src/core/snapshot.ts';
import { questionsFromAbove, questionView, type QuestionView } from '../../../src/protocol/question-view.ts';
import type { RunTree } from '../../model/run-tree.ts';

/** What waits for a person in a tree, named as seen from its root. */
export function treeQuestions(tree: RunTree): readonly QuestionView[] {
  const root = tree.runs.get(tree.root);
  return root === undefined ? [] : below(tree, root.snapshot);
}

function below(tree: RunTree, snapshot: Snapshot): readonly QuestionView[] {
  const own = openQuestions(snapshot).map((question) => questionView(snapshot.run, question));
  const children = openChildren(snapshot).flatMap(({ run }) => {
    const child = tree.runs.get(run);
    return child === undefined ? [] : questionsFromAbove(snapshot.run, run, below(tree, child.snapshot));
  });
  return [...own, ...children];
}

export const areSameQuestions = (a: readonly QuestionView[], b: readonly QuestionView[]): boolean =>
  a.length === b.length && a.every((question, place) => isSame(question, b[place]));

const isSame = (a: QuestionView, b: QuestionView | undefined): boolean =>
  a.id === b?.id && a.run === b.run && a.name === b.name && a.text === b.text;
