import { Fault } from '../core/model/fault.ts';
import { systemProgram } from '../lib/process-tree.ts';
import type { Box } from './port.ts';

/**
 * A view of the machine's files with additional mounts. It lives as long as this process holds it open, and needs no
 * separate process. Outside, a path in it is `root` followed by the path; a program that enters it sees the path alone.
 */
export interface FileSpace {
  /** `/proc/<ours>/fd/<number>`: refers to it by descriptor, so that nothing else can replace it. */
  readonly root: string;
  /** Namespaces of users and of mounts. */
  readonly user: string;
  readonly mount: string;
}

/** Programs whose box names paths in this space are started in it from now on, until the returned function is called. */
export function announceSpace(space: FileSpace): () => void {
  spaces.add(space);
  return () => void spaces.delete(space);
}

/** Those that are held open by this process: a descriptor belongs to the whole process, and so does this list. */
const spaces = new Set<FileSpace>();

/** The path by which a program in the box knows this path. */
export function pathInside(path: string): string {
  const space = spaceOf(path);
  return space === null ? path : strip(path, space);
}

/** The box as seen from inside the space that its folders are in, and the arguments that go before all that builds it. */
export function enterSpace(box: Box): EnteredBox {
  const named = [box.cwd, ...box.folders.map(({ path }) => path)].map(spaceOf).filter((space) => space !== null);
  const [space] = named;
  if (space === undefined) return { box, args: [], isEntered: false, seen: (path) => path };
  if (named.some((other) => other !== space)) {
    throw new Fault('SANDBOX_FOLDER', 'Folders of two overlay workspaces cannot be lent to one program.');
  }
  const inside = (path: string): string => strip(path, space);
  return {
    box: {
      ...box,
      cwd: inside(box.cwd),
      folders: box.folders.map((folder) => ({ ...folder, path: inside(folder.path) })),
      env: Object.fromEntries(Object.entries(box.env).map(([name, value]) => [name, inside(value)])),
    },
    args: [systemProgram('nsenter'), `--user=${space.user}`, `--mount=${space.mount}`, '--preserve-credentials', '--'],
    isEntered: true,
    seen: (path) => `${space.root}${path}`,
  };
}

/** Why a command cannot run in an overlay workspace. */
export function cannotEnter(reason: string): Fault {
  return new Fault('SANDBOX_NO_SPACE', `No command can run in an overlay workspace ${reason}.`, {
    hint: 'Set workspaces.method to copy for new runs, or use the sandbox bubblewrap as an ordinary user.',
  });
}

export interface EnteredBox {
  readonly box: Box;
  readonly args: readonly string[];
  readonly isEntered: boolean;
  /** How this process reaches a path of the program. */
  readonly seen: (path: string) => string;
}

function spaceOf(path: string): FileSpace | null {
  for (const space of spaces) if (isIn(path, space)) return space;
  return null;
}

const isIn = (path: string, { root }: FileSpace): boolean => path.startsWith(`${root}/`);

const strip = (path: string, space: FileSpace): string => (isIn(path, space) ? path.slice(space.root.length) : path);
