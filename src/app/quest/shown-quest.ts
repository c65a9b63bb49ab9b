import type { QuestStep, QuestView } from '../../protocol/quest/quest-view.ts';
import { statusWord } from '../../protocol/status-word.ts';

/** A quest as it is told to people: with the words of `list` and `show`. What is on disk keeps to the journal's. */
export type ShownQuest = Omit<QuestView, 'status' | 'steps'> & {
  readonly status: string;
  readonly steps: readonly ShownStep[];
};

export type ShownStep = Omit<QuestStep, 'status'> & { readonly status: string };

/** While no process drives it nobody works in a slot, and nothing of it runs. */
export function shownQuest(view: QuestView, driven: boolean): ShownQuest {
  const status = statusWord({ ...view, driven });
  if (driven || view.status === 'settled') return { ...view, status };
  const steps = view.steps.map((step) => ({
    ...step,
    status: statusWord({ status: step.status, outcome: null, driven }),
  }));
  return { ...view, status, steps, slots: [] };
}
