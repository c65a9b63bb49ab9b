import { join } from 'node:path';
import { isFault } from '../../core/model/fault.ts';
import { type BeginScheduled, projectNeed } from '../../host/workers/schedules.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { projectId } from '../../workspace/travel/project-id.ts';
import { driveApart, type DriveProgram } from '../acts/drive-apart.ts';
import { projectRoot } from '../config/project.ts';
import type { Asking } from '../runs/session.ts';

/** A worker that is started in a project begins its scheduled runs. */
export const projectOffer = async (project: string | null): Promise<readonly string[]> =>
  project === null ? [] : [projectNeed(await projectId(project))];

/** As `troupe run --detach` in that folder would: in a process of its own, so that files are read as they are now. */
export function scheduledBeginning(asking: Asking, program: DriveProgram): BeginScheduled {
  const root = projectRoot(asking.caller.folder);
  return async ({ name, at, folder, by, order }) => {
    const caller = { ...asking.caller, folder: join(root, folder) };
    try {
      const scheduled: Asking = { ...asking, caller, by, via: 'script', schedule: { name, at } };
      await driveApart(scheduled, order as unknown as Order, program);
    } catch (error) {
      if (!isFault(error) || error.code !== 'RUN_EXISTS') throw error;
    }
  };
}
