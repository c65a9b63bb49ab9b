import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { DeliveryCheck, DeliveryFinished } from '../../core/delivery-fact.ts';
import { counted } from '../../protocol/amounts.ts';

/** How the result of a run waits for the user, in people's words and without the commands to take it. */
export const handedText = (handed: DeliveryFinished): string =>
  `${howText(handed)}${checkedText(handed)}${doubtedText(handed)}`;

const doubtedText = ({ unverified }: DeliveryFinished): string =>
  unverified === undefined ? '' : `; NOT VERIFIED: ${unverified}`;

function checkedText({ check, how }: DeliveryFinished): string {
  if (check === undefined) return '';
  return how === 'not-verified' ? `; checked ${sandboxText(check)}` : `; checked ${checkText(check)}`;
}

export const checkText = (check: DeliveryCheck): string => `with \`${check.command}\` ${sandboxText(check)}`;

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
