import type { RunId } from '../../core/ids.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import { copyResults } from '../../workspace/copy-results.ts';
import { findFiles } from '../../host/deliver/find-files.ts';
import { runResult } from '../../host/deliver/run-result.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { Driving } from '../session/driving.ts';

/** Copies what a run made to where the person wants it, and tells file by file; false when one was left. */
export async function copyFiles(driving: Driving, run: RunId, to: string): Promise<boolean> {
  const { stderr } = driving.invocation.terminal;
  const tell = (text: string): void => void stderr.write(`${plainText(text)}\n`);
  const { written, same, refused } = await copyFrom(driving, run, to);
  for (const file of written) tell(`wrote ${to}/${file}`);
  for (const { path, why } of refused) tell(`left ${to}/${path}: it ${withoutName(why, path)}`);
  if (refused.length > 0) tell(`${count(refused.length)} left; move away what is in ${to}, or name another folder.`);
  else if (written.length === 0 && same.length === 0) tell('nothing to copy: the run changed no file');
  else if (written.length === 0) tell(`nothing to copy: ${to} has the files of the run already`);
  return refused.length === 0;
}

/** A run whose agents can touch no file has none. */
async function copyFrom({ host, store, world }: Driving, run: RunId, to: string) {
  if ((await host.snapshot(run)).files === null) return NOTHING;
  const files = await findFiles(store.journal, run);
  const { base, tree, store: trees } = await runResult({ world }, files, MAIN_WORKSPACE);
  return base === tree ? NOTHING : await copyResults({ store: trees, before: base, after: tree, to });
}

const NOTHING = { written: [], same: [], refused: [] };

/** A refusal begins with the name of the file, which the line has said already. */
const withoutName = (why: string, path: string): string => (why.startsWith(path) ? why.slice(path.length).trim() : why);

const count = (files: number): string => (files === 1 ? '1 file was' : `${files} files were`);
