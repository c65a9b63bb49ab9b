import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderOnly } from '../../src/workspace/testing/folder-only.ts';
import type { Workspaces } from '../../src/workspace/port.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { makeSourceProject } from './source-project.ts';

/** `folder`: one folder of which nothing is kept. `shared`: the run's own workspace. `own`: one for each unit. */
export type Place = 'folder' | 'shared' | 'own';

export interface Placed {
  readonly project: string;
  readonly workspaces: Workspaces;
}

/** A small git project, and where agents work on it. */
export function placed(folder: string, place: Place): Placed {
  const project = join(folder, 'project');
  mkdirSync(project);
  makeSourceProject(project, FILES);
  const home = join(folder, 'home');
  return {
    project,
    workspaces: place === 'folder' ? folderOnly(() => Promise.resolve(project)) : createWorkspaces({ home }),
  };
}

export const FILES = 200;
