/**
 * What every engine is made to do, so that only the engine differs.
 *
 * The team: a coder and a reviewer share one history. Each turn appends a message of 500 characters; the reviewer's
 * structured verdict decides whether there is another round. The model takes no time and only looks at how long the
 * history is.
 */
export const MESSAGE_LENGTH = 500;

export interface Verdict {
  readonly improvement_needed: boolean;
  readonly continue_message: string;
  readonly work_summary: string;
}

export interface Said {
  readonly author: string;
  readonly content: string;
}

const FILLER = 'The parser now keeps the position of every token, and the tests for nested lists pass. '.repeat(8);

/** A message that differs from every other one, always as long. */
export const messageText = (author: string, turn: number): string =>
  `${author} ${turn}: ${FILLER}`.slice(0, MESSAGE_LENGTH);

export interface LoopModel {
  coder(history: readonly unknown[]): Promise<string>;
  reviewer(history: readonly unknown[]): Promise<{ readonly text: string; readonly verdict: Verdict }>;
  /** Turns answered so far. */
  readonly turns: number;
}

/** Answers at once; the reviewer is content in the last turn. */
export function loopModel(turns: number): LoopModel {
  let turn = 0;
  const look = (history: readonly unknown[]): void => {
    turn += 1;
    if (history.length < turn - 1) throw new Error(`Turn ${turn} saw ${history.length} messages.`);
  };
  return {
    async coder(history) {
      look(history);
      return messageText('coder', turn);
    },
    async reviewer(history) {
      look(history);
      return { text: messageText('reviewer', turn), verdict: verdictOf(turn < turns) };
    },
    get turns() {
      return turn;
    },
  };
}

export const verdictOf = (improvementNeeded: boolean): Verdict => ({
  improvement_needed: improvementNeeded,
  continue_message: 'Once more.',
  work_summary: 'Done.',
});

/** The fan-out: three implementers, join, two reviewers, join, decision. */
export const IMPLEMENTERS = ['implementer_1', 'implementer_2', 'implementer_3'] as const;
export const REVIEWERS = ['reviewer_1', 'reviewer_2'] as const;
export const MODEL_MS = 50;

/** Three answers decide: the shortest implementation wins, here always the first. */
export const decide = (implementations: readonly string[], reviews: readonly string[]): string =>
  `${implementations.length} ${reviews.length} ${implementations.reduce((best, one) => (one.length < best.length ? one : best))}`;

export function expectTurns(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`The history holds ${found} messages instead of ${wanted}.`);
}
