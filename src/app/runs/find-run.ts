import { Fault } from '../../core/model/fault.ts';
import { rootRunId, runId, type RunId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { enclosingProject } from '../config/project.ts';
import { existsSync } from 'node:fs';
import { runPlace } from '../../workspace/run-place.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import { findStep } from '../../core/history/find-step.ts';

/**
 * The run that a person means: its id, a beginning of it that only one run has, or `last`. The last one is the newest of
 * the project that `folder` is in, so that `cancel last` never reaches another project.
 */
export async function findRun(journal: Journal, text: string, folder: string): Promise<RunInfo> {
  if (text === 'last') return await newestRun(journal, folder);
  const exact = await journal.run(runId(text));
  if (exact !== undefined) return exact;
  const [beginning = '', ...way] = text.split('/');
  const matching = (await journal.runs({ parent: null })).filter((info) => info.run.startsWith(beginning));
  const [only, another] = matching;
  if (only === undefined || beginning === '') throw unknownRun(text);
  if (another !== undefined) throw ambiguousRun(text, matching);
  if (way.length === 0) return only;
  const child = await journal.run(runId([only.run, ...way].join('/')));
  if (child === undefined) throw unknownRun(text);
  return child;
}

/** Outside every project only if it is unambiguous: the folder has runs, or all runs belong to one project. */
async function newestRun(journal: Journal, folder: string): Promise<RunInfo> {
  const project = enclosingProject(folder);
  const [newest] = await journal.runs({ parent: null, limit: 1 });
  if (newest === undefined) throw unknownRun('last');
  if (newest.project === (project ?? folder)) return newest;
  const all = await journal.runs({ parent: null });
  const own = all.find((info) => info.project === (project ?? folder));
  if (own !== undefined) return own;
  if (project === null && all.every((info) => info.project === newest.project)) return newest;
  throw new Fault('RUN_UNKNOWN', 'This project has no runs yet.', {
    hint: 'Name a run of another one; see them with: troupe list --all',
  });
}

function unknownRun(text: string): Fault {
  return new Fault('RUN_UNKNOWN', `There is no run "${text}".`, { hint: 'See the runs with: troupe list' });
}

function ambiguousRun(text: string, matching: readonly RunInfo[]): Fault {
  const some = matching.slice(0, 5).map((info) => info.run);
  return new Fault('RUN_AMBIGUOUS', `"${text}" is the beginning of ${matching.length} runs: ${some.join(', ')}.`, {
    hint: 'Write one more character.',
  });
}

/** The runs that were forked from this one, oldest first. Nothing in the run itself names them. */
export async function forksOf(journal: Pick<Journal, 'runs'>, run: RunId): Promise<readonly RunId[]> {
  return (await journal.runs({ forkedFrom: run })).map((fork) => fork.run).toReversed();
}

/** Where the agents of a run work, or would: the folder is made when one of them first uses a tool. */
export const runFolder = (home: string, run: RunId): string => runPlace(home, rootRunId(run)).work;

/** Where the agents of a run work, if that folder has been made; children work in the folder of their root run. */
export function existingFolder(home: string, run: RunId): string | null {
  const folder = runFolder(home, run);
  return existsSync(folder) ? folder : null;
}

/** The record that a person means by `--at`, `--from` or `--to`. */
export function stepOption(records: readonly JournalRecord[], text: string): number {
  const found = findStep(records, text);
  if (found.ok) return found.seq;
  throw new Fault('STEP_UNKNOWN', found.message, { hint: found.hint, facts: { step: text } });
}

/** Why a run is taken up at another record than was asked for; empty where it is that one. */
export function movedStepText(asked: number, taken: number): string {
  if (asked === taken) return '';
  return ` Record ${asked} is in the middle of a step, and ${taken} is the next at which the run stood.`;
}
