import type { Activity } from '../../core/agent-fact.ts';

/** Hears what happens in a client's turn. */
export interface StoryListener {
  readonly onText: (delta: string) => void;
  readonly onActivity: (activity: Activity) => void;
}
