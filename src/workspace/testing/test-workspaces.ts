import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { checkOverlay } from '../overlay/mount-view.ts';
import type { Workspace, Workspaces, WorkspacesOptions } from '../port.ts';
import { createWorkspaces } from '../workspaces.ts';

/** For tests: the workspaces of one project. `start` begins a run with what the project holds now. */
export function testWorkspaces(place: TestPlace, options: Partial<WorkspacesOptions> = {}): TestWorkspaces {
  const workspaces = createWorkspaces({ home: place.home, ...options });
  onTestFinished(() => workspaces.close());
  const open = (tree: TreeId, name = 'main', root = 'r1') =>
    workspaces.open({ root: runId(root), name, project: place.project, tree });
  const start = async (root = 'r1') => open((await workspaces.begin(place.project)).tree, 'main', root);
  return { workspaces, open, start };
}

/** For tests: the ways to make a workspace that work here. */
export const METHODS = await methodsHere();

async function methodsHere(): Promise<('copy' | 'overlay')[]> {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  try {
    await checkOverlay(folder);
    return ['copy', 'overlay'];
  } catch {
    return ['copy'];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface TestPlace {
  readonly project: string;
  readonly home: string;
}

export interface TestWorkspaces {
  readonly workspaces: Workspaces;
  readonly open: (tree: TreeId, name?: string, root?: string) => Promise<Workspace>;
  readonly start: (root?: string) => Promise<Workspace>;
}

/** For tests: all that is not a folder and not git's, no link followed. */
export function filesIn(folder: string): readonly string[] {
  const words = [folder, '-name', '.git', '-prune', '-o', '!', '-type', 'd', '-printf', String.raw`%P\0`];
  const listed = execFileSync('find', words, { encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((path) => path !== '')
    .sort();
}

/** For tests: the code of the fault an action ends with. */
export async function faultCode(action: Promise<unknown>): Promise<unknown> {
  const error: unknown = await action.then(
    () => 'no fault',
    (reason: unknown) => reason,
  );
  return isFault(error) ? error.code : error;
}
