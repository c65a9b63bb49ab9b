import { Fault } from '../../core/fault.ts';
import { childRunId, taskId, type RunId, type TaskId } from '../../core/ids.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOption } from '../invocation.ts';
import type { Store } from '../../app/world/store.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { keptLines, keptTurns } from '../../app/clients/kept-lines.ts';

/** `troupe logs RUN --raw`: what clients said, as they said it, turn after turn; also of the runs below. */
export async function printRaw(invocation: Invocation, store: Store, run: RunId): Promise<number> {
  const { terminal } = invocation;
  const wanted = textOption(invocation, 'task');
  const all = await turnsOf(store, run);
  const turns = wanted === undefined ? all : all.filter((turn) => nameOf(turn, run) === wanted);
  if (turns.length === 0) throw nothingKept(run, wanted, all);
  for (const turn of turns) {
    const task = nameOf(turn, run);
    // Apart from the lines themselves, which a program may read.
    if (turns.length > 1 && !flag(invocation, 'json')) terminal.stderr.write(`── ${task}\n`);
    for (const line of await keptLines(store.home, turn)) {
      terminal.stdout.write(
        flag(invocation, 'json') ? `${JSON.stringify({ run, task, line })}\n` : `${plainText(line)}\n`,
      );
    }
  }
  return EXIT.ok;
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
    return new Fault('TASK_UNKNOWN', `Nothing was kept of a turn ${taskId(wanted)} of run ${run}.`, {
      hint: `There is: ${names.slice(0, 20).join(', ')}.`,
      facts: { tasks: names },
    });
  }
  return new Fault('RAW_MISSING', `No lines of agents that are programs are kept for run ${run}.`, {
    hint: `It had none, or they were removed with its files. See: troupe logs ${run}`,
  });
}

/** A task alone would print everything, which nobody asked for. */
export function refuseTask(invocation: Invocation): void {
  if (textOption(invocation, 'task') === undefined) return;
  throw new Fault('USAGE', '--task goes with --raw.', { hint: 'To see one agent only: --agent NAME' });
}
