import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { hintedWorkspace, type ResultHint, resultHints } from '../../protocol/result-hints.ts';
import type { FolderView, RunView } from '../../protocol/run-view.ts';
import { counted } from '../../protocol/amounts.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import type { DeliveryCheck, DeliveryFinished } from '../../core/record/delivery-fact.ts';

/** How the result of a run waits for the user, in people's words and without the commands to take it. */
export const handedText = (handed: DeliveryFinished): string =>
  `${howText(handed)}${checkedText(handed)}${doubtedText(handed)}`;

const doubtedText = ({ unverified }: DeliveryFinished): string =>
  unverified === undefined ? '' : `; NOT VERIFIED: ${unverified}`;

function checkedText({ check, how }: DeliveryFinished): string {
  if (check === undefined) return '';
  return how === 'not-verified' ? `; checked ${sandboxText(check)}` : `; checked ${checkText(check)}`;
}

const checkText = (check: DeliveryCheck): string => `with \`${check.command}\` ${sandboxText(check)}`;

/** Names the run's own sandbox too where a person chose a different one. */
const sandboxText = ({ sandbox, from }: DeliveryCheck): string =>
  `in the sandbox ${sandbox}${from === undefined ? '' : ` instead of ${from}`}`;

function howText(handed: DeliveryFinished): string {
  const { how, where = '', workspace } = handed;
  const of = workspace === MAIN_WORKSPACE ? '' : ` (workspace ${workspace})`;
  switch (how) {
    case 'branch':
      return `waits on the branch ${where}${of}${inConflict(handed, '; ')}`;
    case 'patch':
      return `waits in the patch ${where}${of}${inConflict(handed, '; ')}`;
    case 'applied':
      return `is in the project${of}${heldBack(handed)}`;
    case 'unchanged':
      return `brought nothing new${of}${heldBack(handed)}`;
    case 'conflict':
      return `changed nothing${of}: ${inConflict(handed, '')}`;
    default:
      return notVerified(handed, of);
  }
}

/** Files that were not written, though the rest was. */
function heldBack({ held = [], hasMore }: DeliveryFinished): string {
  if (held.length === 0) return '';
  const more = hasMore === true || held.length > 5 ? ' …' : '';
  return `, without ${counted(held.length, 'file')} that steer your programs: ${held.slice(0, 5).join(', ')}${more}`;
}

function inConflict({ conflicts = [], hasMore }: DeliveryFinished, before: string): string {
  if (conflicts.length === 0) return before === '' ? 'it is in conflict with your files' : '';
  const more = hasMore === true ? ' and more' : '';
  return `${before}${counted(conflicts.length, 'path')}${more} in conflict with your files: ${conflicts.slice(0, 5).join(', ')}${conflicts.length > 5 ? ' …' : ''}`;
}

function notVerified({ command = 'the check', reason, where }: DeliveryFinished, of: string): string {
  const why = reason === undefined ? '' : ` ${reason}`;
  const at = where === undefined ? '' : ` The merged files: ${where}`;
  return `changed nothing${of}: it does not pass \`${command}\`.${why}${at}`;
}

type Field = readonly [name: string, value: string];

/** Where the result of a run is, what a refused check printed, and what the user can do with it now. */
export function resultFields(view: RunView): readonly Field[] {
  const { projectChange, discardedBy, check } = view;
  const handed = waitingHanded(view);
  return [
    ...(projectChange === undefined ? [] : [['files', projectText(projectChange, view.driven)] as const]),
    ...(discardedBy === undefined ? deliveryFields(view) : [['result', `discarded by ${discardedBy}`] as const]),
    ...(handed === undefined ? [] : [['result', oneLine(handedText(handed), 600)] as const, ...printedFields(handed)]),
    ...viewHints(view).map(({ label, command }) => ['', `${`${label}:`.padEnd(8)} ${command}`] as const),
    ...(check === undefined ? [] : [['checked', oneLine(checkText(check), 400)] as const]),
  ];
}

/** The delivery that still waits for the user: git may have taken its branch, or a person may have discarded it. */
export const waitingHanded = ({ result, handed }: RunView): RunView['handed'] =>
  result.state === 'delivered' || result.state === 'discarded' ? undefined : handed;

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
