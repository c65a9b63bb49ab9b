import type { QuestionView } from '../question-view.ts';

/** `GET /api/questions`: what waits for a person, in all runs, the oldest first. */
export interface InboxPage {
  readonly questions: readonly AskedQuestion[];
  /** Runs that may ask more than is told here. */
  readonly unread: readonly UnreadRun[];
}

export interface UnreadRun {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  /** Why it cannot be read; null where it only takes longer. */
  readonly damage: string | null;
}

export interface AskedQuestion {
  /** The root run: `answer` takes it together with the question's name. */
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly question: QuestionView;
}
