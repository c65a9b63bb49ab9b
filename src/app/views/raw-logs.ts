import { Fault } from '../../core/model/fault.ts';
import { childRunId, taskId, type RunId, type TaskId } from '../../core/model/ids.ts';
import { keptClientLines, keptTurns } from '../clients/kept-lines.ts';
import type { Store } from '../world/store.ts';

export interface RawTurn {
  /** As seen from the run that was named. */
  readonly task: string;
  readonly lines: () => Promise<readonly string[]>;
}

/** The raw output of clients, turn by turn, with the runs below. RAW_MISSING, TASK_UNKNOWN. */
export async function rawTurns(store: Store, run: RunId, wanted: string | undefined): Promise<readonly RawTurn[]> {
  const all = await turnsOf(store, run);
  const turns = wanted === undefined ? all : all.filter((turn) => nameOf(turn, run) === wanted);
  if (turns.length === 0) throw nothingKept(run, wanted, all);
  return turns.map((turn) => ({ task: nameOf(turn, run), lines: async () => await keptClientLines(store.home, turn) }));
}

interface Turn {
  readonly run: RunId;
  readonly task: TaskId;
}

/** In the order of the tasks; what a task started comes after it. */
async function turnsOf(store: Store, run: RunId): Promise<readonly Turn[]> {
  const own = (await keptTurns(store.home, run)).map((task) => ({ run, task }));
  const children = (await store.journal.runs({ parent: run })).map((info) => info.run).toReversed();
  const below = await Promise.all(children.map((child) => turnsOf(store, child)));
  return [...own, ...below.flat()];
}

/** As seen from the run that was named: `t2/t1` for the first turn of a run that the second task started. */
const nameOf = ({ run, task }: Turn, root: RunId): string => childRunId(run, task).slice(root.length + 1);

function nothingKept(run: RunId, wanted: string | undefined, all: readonly Turn[]): Fault {
  const names = all.map((turn) => nameOf(turn, run));
  if (wanted !== undefined && names.length > 0) {
    return new Fault('TASK_UNKNOWN', `There is no output of turn ${taskId(wanted)} of run ${run}.`, {
      hint: `There is: ${names.slice(0, 20).join(', ')}.`,
      facts: { tasks: names },
    });
  }
  return new Fault('RAW_MISSING', `No raw output of agents is stored for run ${run}.`, {
    hint: `It had none, or they were removed with its files. See: troupe logs ${run}`,
  });
}
