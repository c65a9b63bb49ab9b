import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import { hintedWorkspace, resultHints, type ResultHint } from '../../protocol/result-hints.ts';
import type { FolderView, RunView } from '../../protocol/run-view.ts';
import { counted } from '../../protocol/amounts.ts';
import { checkText, handedText } from './handed-text.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';

type Field = readonly [name: string, value: string];

/** Where the result of a run is, what a refused check printed, and what the user can do with it now. */
export function resultFields(view: RunView): readonly Field[] {
  const { projectChange, result, check } = view;
  // What git has taken from a branch does not wait there any more.
  const handed = result.state === 'delivered' ? undefined : view.handed;
  return [
    ...(projectChange === undefined ? [] : [['files', projectText(projectChange, view.driven)] as const]),
    ...deliveryFields(view),
    ...(handed === undefined ? [] : [['result', oneLine(handedText(handed), 600)] as const, ...printedFields(handed)]),
    ...viewHints(view).map(({ label, command }) => ['', `${`${label}:`.padEnd(8)} ${command}`] as const),
    ...(check === undefined ? [] : [['checked', oneLine(checkText(check), 400)] as const]),
  ];
}

/** The commands that work for the result of a run; none while a process is at work on it. */
export function viewHints(view: RunView): readonly ResultHint[] {
  const { run, result, handed, delivery, projectChange, driven, folders = [] } = view;
  // What waits in workspaces is listed by workspace.
  if (result.kind === 'waiting' || driven) return [];
  const isOwed = delivery !== undefined;
  const workspace = hintedWorkspace(handed, isOwed);
  const folder = folders.find((one) => one.workspace === workspace) ?? { workspace };
  return resultHints({
    run,
    named: `${run}${workspaceWords(folder)}`,
    result,
    handed: handed ?? null,
    projectChange: projectChange ?? null,
    isOwed,
  });
}

/** By the agent that works there, as everywhere; a workspace of a run below by its own name. */
export function workspaceWords({ workspace, agent }: Pick<FolderView, 'workspace' | 'agent'>): string {
  if (workspace === MAIN_WORKSPACE) return '';
  return agent === undefined ? ` --workspace ${workspace}` : ` --agent ${agent}`;
}

function projectText(change: NonNullable<RunView['projectChange']>, isDriven: boolean): string {
  const { how, by, seq, kept, isBeginning } = change;
  if (isBeginning === true && isDriven) return `being put into the project by ${by}`;
  if (isBeginning === true)
    return oneLine(`not all put into the project by ${by} (record ${seq}): it was interrupted`, 400);
  const what = how === 'applied' ? 'put into the project' : 'taken out of the project again';
  const left = kept.length === 0 ? '' : `, ${counted(kept.length, 'path')} kept`;
  return oneLine(`${what} by ${by} (record ${seq})${left}`, 400);
}

/** A result that should have been delivered and is not. */
function deliveryFields({ delivery, driven, result }: RunView): readonly Field[] {
  if (delivery === undefined || driven) return [];
  if (delivery.fact.kind !== 'delivery.failed') return [['result', 'not delivered yet']];
  const { code, message, hint } = delivery.fact.failure;
  // The commands for a refused result follow.
  return [
    ['result', oneLine(`not delivered: ${code}: ${message}`, 400)],
    ...(hint === undefined || result.state === 'refused' ? [] : [['', oneLine(hint, 400)] as const]),
  ];
}

function printedFields({ command, check, printed }: NonNullable<RunView['handed']>): readonly Field[] {
  if (printed === undefined) return [];
  const named = command ?? check?.command;
  return [
    ['check', named === undefined ? 'The check printed:' : oneLine(`\`${named}\` printed:`, 400)],
    ...plainText(printed)
      .split('\n')
      .map((line) => ['', oneLine(line, 200)] as const),
  ];
}
