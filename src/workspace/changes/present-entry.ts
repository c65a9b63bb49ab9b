import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { HeldPath } from '../store/held-path.ts';
import type { TreeEntry } from '../store/port.ts';
import { lastName } from './check-step.ts';
import { pathState } from './path-state.ts';

/** What the project holds at a path; null also where it could not be looked at. */
export async function presentEntry(project: string, path: BytePath): Promise<TreeEntry | null> {
  const held = await HeldPath.open(project);
  try {
    return (await pathState(await held.at(folderOf(path)), lastName(path))).entry;
  } catch {
    return null;
  } finally {
    await held.close();
  }
}
