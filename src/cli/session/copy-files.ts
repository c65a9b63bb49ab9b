import { plainText } from '../terminal/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface Copying {
  readonly home: string;
  readonly run: string;
  /** The folder the person named. */
  readonly to: string;
  /** A run whose agents touched no file has no folder. */
  readonly hasFolder: boolean;
}

/** Copies what a run made to where the person wants it, and tells file by file; false when one was left. */
export async function copyFiles({ home, run, to, hasFolder }: Copying, terminal: Terminal): Promise<boolean> {
  const tell = (text: string): void => void terminal.stderr.write(`${plainText(text)}\n`);
  const { copyResults } = await import('../../workspace/copy-results.ts');
  const { written, same, refused } = hasFolder ? await copyResults({ home, run, to }) : NOTHING;
  for (const file of written) tell(`wrote ${to}/${file}`);
  for (const { path, why } of refused) tell(`left ${to}/${path}: it ${withoutName(why, path)}`);
  if (refused.length > 0) tell(`${count(refused.length)} left; move away what is in ${to}, or name another folder.`);
  else if (written.length === 0 && same.length === 0) tell('nothing to copy: the run changed no file');
  else if (written.length === 0) tell(`nothing to copy: ${to} has the files of the run already`);
  return refused.length === 0;
}

const NOTHING = { written: [], same: [], refused: [] };

/** A refusal begins with the name of the file, which the line has said already. */
const withoutName = (why: string, path: string): string => (why.startsWith(path) ? why.slice(path.length).trim() : why);

const count = (files: number): string => (files === 1 ? '1 file was' : `${files} files were`);
