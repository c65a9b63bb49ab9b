import type { Failure, Outcome } from '../../core/outcome.ts';
import { openQuestions } from '../../core/open-questions.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { resultState, type ResultState } from '../../core/result-state.ts';
import { questionView } from '../question-view.ts';
import { runStatus, type RunView } from '../run-view.ts';
import type { ReviewData } from './review-data.ts';
import type { Unverified } from '../../core/unverified.ts';

/** The run that a view of a review is about. */
export interface ReviewRun {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly status: RunView['status'];
  readonly outcome: Outcome | null;
  readonly result?: ResultState;
  readonly failure: Failure | null;
  /** A live process drives it now. */
  readonly driven: boolean;
  /** What was to be made. */
  readonly task: string;
  /** The best so far, where nothing of it came home. */
  readonly unverified: Unverified | null;
}

/** What is known about it beside its records. */
export interface ReviewSurroundings {
  readonly title: string;
  readonly driven: boolean;
}

export function reviewRun(
  snapshot: Snapshot,
  { task, unverified }: ReviewData,
  { title, driven }: ReviewSurroundings,
): ReviewRun {
  const questions = openQuestions(snapshot).map((question) => questionView(snapshot.run, question));
  const result = resultState(snapshot);
  return {
    run: snapshot.run,
    workflow: snapshot.workflow,
    title,
    status: runStatus(snapshot, questions),
    outcome: snapshot.result?.outcome ?? null,
    ...(result === null ? {} : { result }),
    failure: snapshot.result?.failure ?? null,
    driven,
    task,
    unverified,
  };
}
