import { addSchedule, listSchedules, removeSchedule } from '../../app/workers/schedules.ts';
import { timeText } from '../../core/look/amount-text.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ScheduleLine } from '../../protocol/operations/answers/schedule.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { whole } from '../../protocol/whole-list.ts';
import { askingOf } from '../asking.ts';
import { cliRequest, type Invocation, textOption, word } from '../invocation.ts';
import { readInput } from '../session/read-input.ts';
import { table } from '../terminal/table.ts';
import { printAnswer, printDone } from '../terminal/terminal.ts';
import { withLooking } from './carry-out.ts';
import { typedInput } from './run.ts';

/** `troupe schedule`: runs that begin at set times, on a worker that has the project. */
export async function scheduleCommand(invocation: Invocation): Promise<void> {
  const action = word(invocation, 0) ?? '';
  switch (action) {
    case 'add':
      return await add(invocation);
    case 'list':
      return await list(invocation);
    case 'remove':
      return await remove(invocation);
    default:
      throw usage(`"${action}" is nothing that can be done with schedules.`);
  }
}

async function add(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const [name, workflow, cron] = [word(invocation, 1), word(invocation, 2), textOption(invocation, 'cron')];
  if (name === undefined || workflow === undefined || cron === undefined)
    throw usage('A schedule has a name, times and a workflow.');
  cliRequest(PROJECT.scheduleAdd.request, { name, workflow, cron });
  const timeZone = textOption(invocation, 'timeZone');
  const line = await addSchedule(askingOf(invocation), {
    name,
    cron,
    timeZone,
    workflow,
    input: (found) => readInput(typedInput(invocation, 3), found.workflow, terminal),
  });
  printDone(
    terminal,
    { kind: 'schedule.added', ...line },
    `${name} fires next at ${timeText(line.nextAt)}, and begins ${workflow} on a worker that was started in ${line.project}.`,
  );
}

async function list(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const schedules = await withLooking(invocation, ({ store }) => listSchedules(terminal, store));
  printAnswer(terminal, { kind: 'schedules', ...whole(schedules) }, () =>
    schedules.length === 0
      ? "There are no schedules. Add one with: troupe schedule add NAME --cron '0 7 * * 1' WORKFLOW"
      : table([
          ['NAME', 'CRON', 'WORKFLOW', 'NEXT', 'LAST'],
          ...schedules.map((line) => [
            line.name,
            `${line.cron} ${line.timeZone}`,
            oneLine(line.workflow, 30),
            timeText(line.nextAt),
            oneLine(lastText(line), 200),
          ]),
        ]),
  );
}

/** Waiting firings first: someone may have to start a worker. */
function lastText({ last, waiting, queued }: ScheduleLine): string {
  if (queued !== undefined) return `${waiting} waiting: ${queued.text}`;
  if (last === undefined) return 'none';
  return last.reason === undefined ? (last.run ?? '') : `failed: ${last.reason}`;
}

async function remove(invocation: Invocation): Promise<void> {
  const { name } = cliRequest(PROJECT.scheduleRemove.request, { name: word(invocation, 1) ?? '' });
  await removeSchedule(invocation.terminal, name);
  printDone(invocation.terminal, { kind: 'schedule.removed', name }, `${name} fires no more.`);
}

const usage = (message: string): Fault =>
  new Fault('USAGE', message, {
    hint: 'As in: troupe schedule add nightly --cron \'0 3 * * *\' coder_reviewer "Update the changelog", troupe schedule list, troupe schedule remove nightly',
  });
