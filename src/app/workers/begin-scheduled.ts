import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { BeginScheduled } from '../../host/workers/schedules.ts';
import type { Order } from '../../protocol/operations/acts.ts';
import { driveApart, type DriveProgram } from '../acts/drive-apart.ts';
import { projectRoot } from '../config/project.ts';
import type { Asking } from '../runs/session.ts';

/** Like `troupe run --detach` in that folder: in a separate process, so that files are read as they are now. */
export function scheduledBeginning(asking: Asking, program: DriveProgram): BeginScheduled {
  const root = projectRoot(asking.caller.folder);
  return async ({ name, at, folder, by, order }) => {
    const caller = { ...asking.caller, folder: join(root, folder) };
    if (!existsSync(caller.folder))
      throw new Fault('FOLDER_MISSING', `There is no folder ${folder} in the project at ${root}.`);
    try {
      const scheduled: Asking = { ...asking, caller, by, via: 'script', schedule: { name, at } };
      await driveApart(scheduled, order as unknown as Order, program);
    } catch (error) {
      if (!isFault(error) || error.code !== 'RUN_EXISTS') throw error;
    }
  };
}
