import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** A program by its path, or by its name on the path; null where there is none that can be started. */
export function findProgram(program: string, environment: NodeJS.ProcessEnv): string | null {
  if (program.includes('/')) return canStart(program) ? program : null;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, program)).find(canStart) ?? null;
}

function canStart(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
