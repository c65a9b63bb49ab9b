import { openQuestions } from '../../../core/look/open-questions.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { resultState } from '../../../core/look/result-state.ts';
import { questionView } from '../../../protocol/question-view.ts';
import { runStatus } from '../../../protocol/run-view.ts';
import { taskIn } from '../rules/review-inputs.ts';
import { reviewStateIn } from './review-state-in.ts';
import type { ReviewRun } from './answers/review-run.ts';

export type { ReviewRun } from './answers/review-run.ts';

/** Facts about a review that its records do not contain. */
export interface ReviewSurroundings {
  readonly title: string;
  readonly driven: boolean;
}

export function reviewRun(snapshot: Snapshot, { title, driven }: ReviewSurroundings): ReviewRun {
  const questions = openQuestions(snapshot).map((question) => questionView(snapshot.run, question));
  return {
    run: snapshot.run,
    workflow: snapshot.workflow,
    title,
    status: runStatus(snapshot, questions),
    outcome: snapshot.result?.outcome ?? null,
    result: resultState(snapshot),
    failure: snapshot.result?.failure ?? null,
    driven,
    task: taskIn(snapshot.data),
    unverified: reviewStateIn(snapshot.data)?.unverified ?? null,
  };
}
