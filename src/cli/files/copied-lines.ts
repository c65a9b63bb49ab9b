import { relative } from 'node:path';
import type { CopiedFiles } from '../../host/deliver/merge-outcome.ts';
import { plainText } from '../../protocol/plain-text.ts';

/** What was copied to the folder of `--out`, file by file; `folder` is where the person stands. */
export function copiedLines({ to, written, refused }: CopiedFiles, folder: string): readonly string[] {
  const near = relative(folder, to);
  const shown = near === '' || near.startsWith('..') ? to : near;
  const left = refused.map(({ path, why }) => `left ${shown}/${path}: it ${withoutName(why, path)}`);
  return [
    ...written.map((path) => `wrote ${shown}/${path}`),
    ...left,
    ...(left.length === 0
      ? []
      : [`${count(left.length)} left; move away what is in ${shown}, or name another folder.`]),
    ...(written.length + left.length === 0 ? [`nothing to copy: ${shown} has the files of the run already`] : []),
  ].map((line) => plainText(line));
}

/** A refusal begins with the name of the file, which the line has said already. */
const withoutName = (why: string, path: string): string => (why.startsWith(path) ? why.slice(path.length).trim() : why);

const count = (files: number): string => (files === 1 ? '1 file was' : `${files} files were`);
