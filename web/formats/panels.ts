import { lazy } from 'react';
import type { ComponentType } from 'react';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';
import type { RunTree } from '../model/run-tree.ts';

// Parts of a run's page that single families fill. A further family is a line here.

/** By the name of the tab. */
export const FAMILY_PANELS = {
  debate: {
    label: 'Debate',
    panel: lazy(async () => ({ default: (await import('./review/debate-panel.tsx')).DebatePanel })),
    isShown: hasReview,
  },
} as const satisfies Readonly<Record<string, FamilyPanel>>;

interface FamilyPanel {
  readonly label: string;
  readonly panel: ComponentType;
  /** Whether the run has such a part. */
  readonly isShown: (tree: Pick<RunTree, 'runs'>) => boolean;
}

/** Shown above the problems of a run. */
export const FamilyTrouble = lazy(async () => ({
  default: (await import('./review/review-trouble.tsx')).ReviewTrouble,
}));

/** Whether a run of the tree has such a part. */
export const hasFamilyTrouble = hasReview;

function hasReview({ runs }: Pick<RunTree, 'runs'>): boolean {
  return [...runs.values()].some(({ snapshot }) => reviewStateIn(snapshot.data) !== null);
}
