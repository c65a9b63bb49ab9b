const BEGINNING = 'Your context is being replaced.';

/** The request to an agent whose conversation no longer fits. The last sentence keeps models from calling a tool. */
export function summaryPrompt(words: number): string {
  return `${BEGINNING} Write for a successor who sees only your order and this text. Write at most ${words} words.

Use these sections:
- Done, with evidence
- Files changed, and why
- Decisions, and options that were rejected
- Problems, and how they were solved
- Constraints, word for word
- Exact state now
- Next action

Keep paths, commands, error texts and ids of findings exact. State only what happened. Call no tool: answer with text alone.`;
}

/** Whether this text ends with that request. */
export const isSummaryPrompt = (text: string): boolean => text.includes(BEGINNING);
