import { permissionQuestion, isPermission } from '../step/turn/permit.ts';
import { filesMark } from '../record/question-fact.ts';
import type { Task } from './snapshot.ts';
import type { QuestionAsked, QuestionAnswered } from '../record/question-fact.ts';
import type { FilesChanged } from '../record/files-fact.ts';
import type { Draft } from './draft.ts';

/** How facts change the files that a run's open questions are about. */

export function noteAsked(now: Draft, { question, files, refused }: QuestionAsked): void {
  const asked = { files, mark: filesMark(files), isAgain: refused !== undefined };
  now.askedFor = { ...now.askedFor, [question]: asked };
}

/**
 * A person decided about the files of the run: these may be delivered, unless the run changes them later. An answer to a
 * command is kept until that is settled.
 */
export function noteAnswered(now: Draft, fact: QuestionAnswered): void {
  const { question } = fact;
  const asked = now.askedFor[question];
  if (asked === undefined) return;
  if (isPermission(question)) {
    now.askedFor = { ...now.askedFor, [question]: { ...asked, kept: saidIn(fact) } };
    return;
  }
  if (now.tasks[question]?.work.kind === 'ask') now.approved = asked.files;
  forgetAsked(now, question);
}

/**
 * Called before the change is noted. A command that a person allowed changes the files that the other commands of its
 * message are asked for.
 */
export function followChange(now: Draft, fact: FilesChanged): void {
  const { workspace, tree } = fact;
  const before = fact.before ?? now.workspaces[workspace]?.tree ?? fact.base;
  const isExpected = isOfAllowedTool(now, fact);
  const changed = Object.entries(now.askedFor).flatMap(([question, asked]) => {
    if (!isPermission(question) || asked.files[workspace] === undefined) return [];
    const isOwn = isExpected && question.startsWith(permissionQuestion(fact.task ?? '', ''));
    const files = { ...asked.files, ...asked.since, [workspace]: tree };
    const follows = isOwn && asked.since === undefined && asked.files[workspace] === before;
    return [[question, { ...asked, ...(follows ? { files } : { since: files }) }] as const];
  });
  if (changed.length > 0) now.askedFor = { ...now.askedFor, ...Object.fromEntries(changed) };
}

/** Tools that need no permission run before the others are asked about; see `lookWhenStill`. */
function isOfAllowedTool({ tasks }: Draft, { why, task, toolCall }: FilesChanged): boolean {
  const turn = task === null ? null : tasks[task]?.turn;
  if (why !== 'work' || turn === null || turn === undefined) return false;
  return turn.openTools.some(({ id }) => id === toolCall) && !turn.asking.includes(toolCall ?? '');
}

export const forgetPermission = (now: Draft, { task, toolCall }: { task: string; toolCall: string }): void =>
  forgetAsked(now, permissionQuestion(task, toolCall));

export function forgetAsked(now: Draft, question: string): void {
  if (now.askedFor[question] === undefined) return;
  const { [question]: _closed, ...askedFor } = now.askedFor;
  now.askedFor = askedFor;
}

/** The run continues to work, so the files that a person approved are not those that will be delivered. */
export function workOn(now: Draft, kind: Task['work']['kind']): void {
  if (WORKS_ON_FILES.has(kind)) now.approved = null;
}

const WORKS_ON_FILES: ReadonlySet<string> = new Set(['turn', 'command', 'call', 'merge', 'pool']);

export const saidIn = ({ answer, by, via }: QuestionAnswered): Said => ({
  answer,
  by,
  ...(via === undefined ? {} : { via }),
});

type Said = NonNullable<QuestionAsked['refused']>;
