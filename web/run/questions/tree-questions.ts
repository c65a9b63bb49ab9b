import { questionsIn, type QuestionView } from '../../../src/protocol/question-view.ts';
import type { RunTree } from '../../model/run-tree.ts';

/** What waits for a person in a tree, named as seen from its root. */
export function treeQuestions(tree: RunTree): readonly QuestionView[] {
  const root = tree.runs.get(tree.root);
  return root === undefined ? [] : questionsIn(root.snapshot, (run) => tree.runs.get(run)?.snapshot);
}

export const areSameQuestions = (a: readonly QuestionView[], b: readonly QuestionView[]): boolean =>
  a.length === b.length && a.every((question, place) => isSame(question, b[place]));

const isSame = (a: QuestionView, b: QuestionView | undefined): boolean =>
  a.id === b?.id && a.run === b.run && a.name === b.name && a.text === b.text;
