import type { Journal, RunInfo } from '../../journal/port.ts';
import { rootRunId } from '../../core/model/ids.ts';

/**
 * Where a run waits. Runs of one project that need the same of a worker wait behind each other, not behind those of other
 * projects, and a worker looks only at lanes that it can serve.
 */
export interface QueueLane {
  readonly project: string;
  /** What the worker has to offer. */
  readonly needs?: readonly string[];
  /** A lower one goes first, among all lanes that a worker serves; 100 where it is absent. */
  readonly priority?: number;
}

/** A run below another waits in the lane of its root. */
export async function laneOf(journal: Journal, info: RunInfo): Promise<QueueLane> {
  return info.parent === null ? info : ((await journal.run(rootRunId(info.run))) ?? info);
}

export const laneKey = ({ project, needs = [] }: QueueLane): string => JSON.stringify([project, ...needs]);

export function needsOfLane(key: string): readonly string[] {
  const [, ...needs] = JSON.parse(key) as readonly string[];
  return needs;
}

/** What the worker that begins a run of this project has to offer. */
export const projectNeed = (project: string): string => `project ${project}`;
