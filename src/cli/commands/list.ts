import { ageText, costText } from '../../core/look/amount-text.ts';
import { cliRequest, countOption, flag, type Invocation, textOption } from '../invocation.ts';
import { enclosingProject } from '../../app/config/project.ts';
import { listedRuns, type ListedRun } from '../../app/views/listed-runs.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { withStore } from '../../app/world/store.ts';
import { tokens } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { statusText } from '../../protocol/status-word.ts';
import { printNote, printAnswer } from '../terminal/terminal.ts';
import { table } from '../terminal/table.ts';

/** `troupe list`: the newest runs, what they are about, how they stand and what they cost. */
export async function listCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const request = cliRequest(PROJECT.list.request, {
    status: textOption(invocation, 'status'),
    isArchived: flag(invocation, 'archived'),
    after: textOption(invocation, 'after'),
    limit: countOption(invocation, 'limit', 1),
  });
  // Inside a project its own runs, anywhere else all of them.
  const project = flag(invocation, 'all') ? null : enclosingProject(terminal.folder);
  const { items, elsewhere, next } = await withStore(terminal, (store) => listedRuns(store, { ...request, project }));
  const answer = { kind: 'runs', items, next };
  if (items.length > 0 || terminal.mode.json)
    printAnswer(terminal, answer, () => listText(items, terminal.stdout.columns || 120));
  else printNote(terminal, emptyText(invocation));
  if (terminal.mode.json) return;
  if (next !== null) printNote(terminal, `There are older runs: troupe list --after ${next}`);
  if (elsewhere > 0) printNote(terminal, elsewhereText(elsewhere));
}

function emptyText(invocation: Invocation): string {
  const isFiltered = textOption(invocation, 'status') !== undefined || textOption(invocation, 'after') !== undefined;
  if (isFiltered) return 'No such runs.';
  return 'No runs to list. Start one with: troupe run WORKFLOW "…"; --archived lists archived ones.';
}

const elsewhereText = (count: number): string =>
  count === 1 ? '1 run of another project; --all shows it' : `${count} runs of other projects; --all shows them`;

function listText(runs: readonly ListedRun[], width: number): string {
  const head = ['RUN', 'STATUS', 'WORKFLOW', 'COST', 'AGE', 'ABOUT'];
  const now = Date.now();
  const rows = runs.map((run) => [
    run.run,
    `${statusText(run)}${run.isArchived === true ? ' · archived' : ''}`,
    oneLine(run.workflow, 30),
    run.usage === null ? 'unreadable' : run.costUsd === null ? tokens(run.usage) : costText(run.costUsd),
    ageText(now - run.at),
    oneLine(`${run.title}${run.schedule === undefined ? '' : ` · schedule ${run.schedule.name}`}`, 200),
  ]);
  return table([head, ...rows], width);
}
