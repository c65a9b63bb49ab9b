import { Fault } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';

/** The run that a person means: its id, a beginning of it that only one run has, or `last`. */
export async function findRun(journal: Journal, text: string): Promise<RunInfo> {
  if (text === 'last') return await newestRun(journal);
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

async function newestRun(journal: Journal): Promise<RunInfo> {
  const [newest] = await journal.runs({ parent: null, limit: 1 });
  if (newest === undefined) throw unknownRun('last');
  return newest;
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
