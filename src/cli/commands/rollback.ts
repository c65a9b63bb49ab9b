import { Fault } from '../../core/model/fault.ts';
import { flag, type Invocation, textOptions } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { confirm } from '../files/confirm.ts';
import { keptLines } from '../files/merge-lines.ts';
import {
  type ConversationBack,
  planLine,
  rollBack,
  rollbackPlan,
  type RollbackPlan,
  type RollbackRequest,
  type RolledBack,
  rolledBackLine,
  unchangedLine,
} from '../../app/results/rollback-run.ts';
import { movedStepText } from '../../app/runs/find-run.ts';
import { withNamedRun } from './carry-out.ts';
import { type Paint, paintFor } from '../terminal/colour.ts';
import { counted } from '../../protocol/amounts.ts';
import { changeLines } from '../files/change-lines.ts';
import { stayingLines } from '../files/left-out.ts';
import { printAnswer, printDone } from '../terminal/terminal.ts';

const MOST = 20;

/** What a rollback would change, before anybody says yes. Empty when it would change nothing. */
export function rollbackLines(plan: RollbackPlan, paint: Paint): readonly string[] {
  const { projectFiles, projectConflicts, conversation, project } = plan;
  const workspaces = plan.workspaces.filter(({ changes }) => changes.length > 0);
  const lines = [
    ...(projectFiles.length === 0
      ? []
      : [`Your files in ${project}:`, ...indented(changeLines(projectFiles, paint, MOST))]),
    ...(projectConflicts.length === 0
      ? []
      : ['Unchanged, because you changed it since:', ...indented(projectConflicts.flatMap(keptLines))]),
    ...workspaces.flatMap(({ workspace, changes }) => [
      `The workspace ${workspace}: ${counted(changes.length, 'file')}`,
      ...indented(changeLines(changes, paint, MOST)),
    ]),
    ...droppedLines(plan),
    ...(conversation === null ? [] : [conversationLine(conversation)]),
  ];
  return lines.length === 0 ? [] : [...lines, ...plan.workspaces.flatMap(stayingLines)];
}

function droppedLines({ workspaces }: RollbackPlan): readonly string[] {
  const names = workspaces.filter(({ isDropped }) => isDropped === true).map(({ workspace }) => workspace);
  if (names.length === 0) return [];
  return [`Did not exist then; created again when it is needed: ${names.join(', ')}`];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function conversationLine({ from, to, messages, isSettled }: ConversationBack): string {
  const taken = messages === 0 ? '' : `; ${counted(messages, 'message')} of its conversations taken back`;
  return `The run: from ${from} to ${to}${taken}${isSettled ? '' : '; it can be resumed from there'}`;
}

/** `troupe rollback RUN [--to STEP]`: shows what would go back, asks, and puts it back. Itself undone by another rollback. */
export async function rollbackCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { stderr, environment } = terminal;
  // Nothing is made ready for work: a setup that fails must not keep anybody from going back.
  const undoing = { ...invocation, options: { ...invocation.options, setup: false } };
  return await withNamedRun(undoing, async (driving, { run }) => {
    const { plan, isUnchanged } = await rollbackPlan(driving, run, requestOf(invocation));
    const lines = rollbackLines(plan, paintFor(stderr, environment));
    if (isUnchanged) {
      const text = `Nothing to roll back: everything is as it was at record ${plan.to}.`;
      printDone(terminal, unchangedLine(plan), text);
      return EXIT.ok;
    }
    const shown = `Back to record ${plan.end} of run ${run}:${movedStepText(plan.to, plan.end)}\n${lines.join('\n')}`;
    if (flag(invocation, 'dryRun')) {
      printAnswer(terminal, planLine(plan), () => shown);
      if (!terminal.mode.json) stderr.write('Nothing was done.\n');
      return EXIT.ok;
    }
    if (!terminal.mode.json) stderr.write(`${shown}\n`);
    if (!flag(invocation, 'yes') && !(await confirm(terminal, 'Roll it back?'))) return EXIT.ok;
    const done = await rollBack(driving, plan);
    printDone(terminal, rolledBackLine(plan, done), doneLines(plan, done).join('\n'));
    return done.project.conflicts.length > 0 ? EXIT.waits : EXIT.ok;
  });
}

function requestOf(invocation: Invocation): RollbackRequest {
  const [files, conversation] = [flag(invocation, 'files'), flag(invocation, 'conversation')];
  if (files && conversation)
    throw new Fault('USAGE', '--files and --conversation each mean: only this.', { hint: 'For both leave both out.' });
  const only = files ? 'files' : conversation ? 'conversation' : null;
  return { ...textOptions(invocation, ['to']), ...(only === null ? {} : { only }) };
}

function doneLines(plan: RollbackPlan, { undo, project }: RolledBack): readonly string[] {
  const { run, conversation, store } = plan;
  const { conflicts } = project;
  const only = store === null ? ' --conversation' : conversation === null ? ' --files' : '';
  return [
    ...conflicts.flatMap(keptLines),
    conflicts.length === 0
      ? 'Rolled back.'
      : 'Rolled back, except files that you changed since: they stay as they are.',
    ...(conversation === null || conversation.isSettled ? [] : [`  continue: troupe resume ${run}`]),
    `  undo:     troupe rollback ${run} --to ${undo}${only}`,
  ];
}
