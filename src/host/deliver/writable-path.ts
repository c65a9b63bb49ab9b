import { accessSync, constants, existsSync, lstatSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { orElse } from '../../lib/or-else.ts';

/** Refuses a file that could not be written, before any work is done for it. `isOver`: one that is there may be replaced. */
export function refuseUnwritable(file: string, { isOver = false }: { readonly isOver?: boolean } = {}): void {
  const there = lookAt(file);
  if (there?.isDirectory() === true) throw notWritable(file, 'it is a folder');
  if (there !== undefined && !isOver) {
    throw new Fault('FILE_EXISTS', `${shownPath(file)} is there already.`, {
      hint: 'Give another name, or remove that file first.',
      facts: { file },
    });
  }
  refuseUnwritableFolder(dirname(file), file);
  // Like `> FILE` in a shell: a misspelt name must not create folders.
  if (!isOver && !existsSync(dirname(file)))
    throw new Fault('NOT_WRITABLE', `${shownPath(file)} cannot be written: its folder does not exist.`, {
      hint: `Make the folder first, or name another place: ${shownPath(dirname(file))}`,
      facts: { file },
    });
}

/** The same for a folder, which is created if missing. `asked`: the name that the person gave. */
export function refuseUnwritableFolder(folder: string, asked = folder): void {
  const nearest = nearestThere(folder);
  if (!statSync(nearest).isDirectory()) throw notWritable(asked, `${shownPath(nearest)} is not a folder`);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(asked, `${shownPath(nearest)} may not be written to`, error);
  }
}

function nearestThere(path: string): string {
  let nearest = path;
  // A broken link exists too: creating a folder in its place would fail.
  while (!existsSync(nearest) && dirname(nearest) !== nearest) {
    if (lookAt(nearest) !== undefined) throw notWritable(path, 'a link leads nowhere');
    nearest = dirname(nearest);
  }
  return nearest;
}

/** Below a file there is nothing; an unreadable path is reported when its folder is. */
const lookAt = (path: string): Stats | undefined => orElse(() => lstatSync(path), undefined);

function notWritable(path: string, why: string, cause?: unknown): Fault {
  return new Fault('NOT_WRITABLE', `${shownPath(path)} cannot be written: ${why}.`, {
    hint: 'Name another place, or make it writable. Nothing was done yet.',
    facts: { path },
    ...(cause === undefined ? {} : { cause }),
  });
}
