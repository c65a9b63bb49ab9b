import { counted } from '../../protocol/amounts.ts';
import type { Paint } from '../terminal/colour.ts';
import { changeLines } from './change-lines.ts';
import { keptLines } from './conflict-lines.ts';
import { stayingLines } from './left-out.ts';
import type { ConversationBack, RollbackPlan } from '../../app/results/rollback-plan.ts';

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
      : ['Stays as it is, since you changed it meanwhile:', ...indented(projectConflicts.flatMap(keptLines))]),
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
  return [`Not there yet then, and made anew when somebody works there: ${names.join(', ')}`];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function conversationLine({ from, to, messages, isSettled }: ConversationBack): string {
  const taken = messages === 0 ? '' : `; ${counted(messages, 'message')} of its conversations taken back`;
  return `The run: from ${from} to ${to}${taken}${isSettled ? '' : '; it can be resumed from there'}`;
}
