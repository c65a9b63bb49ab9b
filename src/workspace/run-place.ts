import { MAIN_WORKSPACE } from '../core/model/workspace-name.ts';
import { join } from 'node:path';
import { Fault } from '../core/model/fault.ts';

/** Where the files of a root run lie. */
export interface RunPlace {
  readonly base: string;
  /** The workspace called `main`. */
  readonly work: string;
  /** The run's ignore rules. */
  readonly rules: string;
  /** Stands for the user's repository where that is on another machine. */
  readonly standIn: string;
}

export function runPlace(home: string, run: string): RunPlace {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(run)) {
    throw new Fault('RUN_ID_INVALID', `"${run}" cannot be the id of a run with its own files.`, {
      hint: 'Child runs work in the folder of their root run.',
      facts: { run },
    });
  }
  const base = join(home, 'runs', run);
  return { base, work: join(base, MAIN_FOLDER), rules: join(base, 'rules.json'), standIn: join(base, 'stand-in') };
}

/** Where one workspace of a run lies. All that is not the agents' files is beside the folder, never in it. */
export interface WorkspacePlace {
  readonly name: string;
  readonly folder: string;
  /** For what the engine keeps of this workspace; no command sees it. */
  readonly kept: string;
  /** What the store remembers of the folder. */
  readonly index: string;
  /** Private to the commands in the workspace. */
  readonly home: string;
  readonly temporary: string;
  /** Further folders for its commands, by name. */
  readonly folders: string;
}

export function workspacePlace(home: string, run: string, name: string): WorkspacePlace {
  const { base, work } = runPlace(home, run);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) {
    throw new Fault('WORKSPACE_NAME_INVALID', `"${name}" cannot be the name of a workspace.`, {
      hint: 'Letters, digits, dots, dashes and underscores, beginning with a letter or a digit, at most 100.',
      facts: { name },
    });
  }
  const isMain = name === MAIN_WORKSPACE;
  const kept = join(base, 'kept', name);
  const beside = isMain ? base : join(base, 'beside', name);
  return {
    name,
    folder: isMain ? work : join(base, 'workspaces', name),
    kept,
    index: join(kept, 'index'),
    home: join(beside, 'home'),
    temporary: join(beside, 'tmp'),
    folders: join(base, 'folders', name),
  };
}

const MAIN_FOLDER = 'work';
