import type { QuestionView } from '../question-view.ts';

/** `GET /api/questions`: what waits for a person, in all runs, the oldest first. */
export interface InboxPage {
  readonly questions: readonly AskedQuestion[];
}

export interface AskedQuestion {
  /** The root run: `answer` takes it together with the question's name. */
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly question: QuestionView;
}
