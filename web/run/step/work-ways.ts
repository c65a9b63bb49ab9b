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
export function waysOf(work: StepWork, { root, visit, isBelowKnown }: WorkPlace): readonly WorkWay[] {
  const { who, isAgent, task, calls, workspaces, child } = work;
  const agent = isAgent && who !== null ? who : undefined;
  const below = isBelowKnown && agent !== undefined && child !== null ? child : undefined;
  const run = below ?? (visit.run === root ? undefined : visit.run);
  // Its records and tasks have numbers of their own.
  const of = { run, agent, ...(below === undefined ? { task } : { task: undefined, seq: undefined }) };
  const step = { state: visit.state, visit: visit.visit };
  return [
    ...(agent === undefined
      ? []
      : [{ kind: 'conversation', label: 'Conversation', change: { tab: 'transcript', ...of } } as const]),
    ...(calls === 0 && below === undefined
      ? []
      : [
          {
            kind: 'requests',
            label: 'Requests as sent',
            change: { tab: 'requests', ...of, ...step, request: undefined },
          } as const,
        ]),
    ...workspaces.map(
      (workspace) =>
        ({
          kind: 'files',
          label: `Files of ${workspace}`,
          change: { tab: 'changes', workspace, base: 'step' },
        }) as const,
    ),
  ];
}
