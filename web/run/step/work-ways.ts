import type { Visit } from '../../../src/protocol/history/visits.ts';
import type { SelectionChange } from '../../model/selection.ts';
import type { StepWork } from './step-work.ts';

/** Another part of the page that shows more of a piece of work. */
export interface WorkWay {
  readonly kind: 'conversation' | 'requests' | 'files';
  readonly label: string;
  readonly change: SelectionChange;
}

export interface WorkPlace {
  readonly root: string;
  readonly visit: Pick<Visit, 'run' | 'state' | 'visit'>;
  /** The page has the run below that does it. */
  readonly isBelowKnown: boolean;
}

/** What a run below says and sends stands in that run. */
export function waysOf(work: StepWork, place: WorkPlace): readonly WorkWay[] {
  return [...waysToTurn(work, place), ...work.workspaces.map(wayToFiles)];
}

function waysToTurn(work: StepWork, place: WorkPlace): readonly WorkWay[] {
  const { who, isAgent, calls } = work;
  if (!isAgent || who === null) return [];
  const { state, visit } = place.visit;
  const below = place.isBelowKnown ? work.child : null;
  const of = { agent: who, ...placeOf(work, place, below) };
  const conversation = { kind: 'conversation', label: 'Conversation', change: { tab: 'transcript', ...of } } as const;
  if (calls === 0 && below === null) return [conversation];
  const change = { tab: 'requests', ...of, state, visit, request: undefined } as const;
  return [conversation, { kind: 'requests', label: 'Requests as sent', change }];
}

/** A run below numbers its records and tasks separately. */
function placeOf({ task }: StepWork, { root, visit }: WorkPlace, below: string | null): SelectionChange {
  if (below !== null) return { run: below, task: undefined, seq: undefined };
  return { run: visit.run === root ? undefined : visit.run, task };
}

const wayToFiles = (workspace: string): WorkWay => ({
  kind: 'files',
  label: `Files of ${workspace}`,
  change: { tab: 'changes', workspace, base: 'step' },
});
