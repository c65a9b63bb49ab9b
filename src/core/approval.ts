import { readAnswer } from './check-answer.ts';
import type { Draft } from './draft.ts';
import type { Event } from './event.ts';
import type { TaskId } from './ids.ts';
import type { Json } from './json.ts';
import { openPermissions, PERMISSION_CHOICES, permissionQuestion } from './permit.ts';
import type { Progress } from './progress.ts';
import { filesMark, isApproval, type FileMarks, type QuestionAnswered, type QuestionAsked } from './question-fact.ts';
import type { Snapshot, Task } from './snapshot.ts';

/**
 * Approvals: answers to questions that name their choices or say that they approve, and to requests for a tool ([V3]).
 *
 * [V3] An approval holds for one question and the files it was asked for. Where these changed before the answer is taken, the
 *      answer is void, and the question is asked again for the files there are now.
 */

/** The task that asks for an approval; null where the question is closed, takes any text, or is about a limit. */
export function approvalTask(snapshot: Snapshot, question: string): Task | null {
  const asked = openPermissions(snapshot).find(({ id }) => id === question);
  const task = snapshot.tasks[asked?.task ?? question];
  if (task === undefined) return null;
  return asked !== undefined || isApproval(task.work) ? task : null;
}

/** The mark of the files that an open question is about. */
export function askedMark({ askedFor }: Pick<Snapshot, 'askedFor'>, question: string): string | undefined {
  const asked = askedFor[question];
  return asked === undefined ? undefined : filesMark(asked.files);
}

/** Has the host look at the files that a question is about, where that is not known. */
export function lookAtFiles(progress: Progress, task: TaskId, question: string): void {
  if (progress.snapshot.askedFor[question] === undefined) progress.emit({ kind: 'question.look', task, question });
}

/** The files that a tool is asked for: once no other tool of the turn is at work, so that none of them makes the answer void. */
export function lookWhenStill(progress: Progress, id: TaskId): void {
  const { openTools = [], asking = [] } = progress.task(id)?.turn ?? {};
  if (openTools.some((call) => !asking.includes(call.id))) return;
  for (const toolCall of asking) lookAtFiles(progress, id, permissionQuestion(id, toolCall));
}

export function filesLookedAt(
  progress: Progress,
  { question, files }: Extract<Event, { kind: 'question.looked' }>,
): void {
  const { snapshot } = progress;
  if (snapshot.askedFor[question] === undefined && approvalTask(snapshot, question) !== null)
    progress.record({ kind: 'question.asked', question, files });
}

/** The answer as it is recorded; null where it was given for other files than there are now, which asks again. */
export function standingAnswer(
  progress: Progress,
  { files, ...event }: Extract<Event, { kind: 'question.answered' }>,
): QuestionAnswered | null {
  const { question, answer } = event;
  if (files === undefined || approvalTask(progress.snapshot, question) === null) return event;
  const mark = filesMark(files);
  const asked = askedMark(progress.snapshot, question);
  // A tool that is not used is about no files, and one that is always allowed about all of them.
  if (question.startsWith('permit/') && !isOnce(answer)) return { ...event, mark };
  // Where nobody has looked yet, the answer is for the files there are now.
  const isVoid = asked !== undefined && asked !== mark;
  if (asked !== mark) progress.record({ kind: 'question.asked', question, files, ...(isVoid ? refusing(event) : {}) });
  return isVoid || isForOthers(event, mark) ? null : { ...event, mark };
}

/** The face that it was given at showed other files. */
const isForOthers = (given: QuestionAnswered, mark: string): boolean => given.mark !== undefined && given.mark !== mark;

const refusing = ({ answer, by, via }: QuestionAnswered): Pick<QuestionAsked, 'refused'> => ({
  refused: { answer, by, ...(via === undefined ? {} : { via }) },
});

function isOnce(answer: Json): boolean {
  const read = readAnswer({ kind: 'permission', choices: PERMISSION_CHOICES }, answer);
  return read.ok && read.answer === 'yes';
}

export function noteAsked(now: Draft, { question, files, refused }: QuestionAsked): void {
  now.askedFor = { ...now.askedFor, [question]: { files, isAgain: refused !== undefined } };
}

/** A person decided about the files of the run: unless it works on, these are the ones that may be delivered. */
export function noteApproved(now: Draft, { question }: QuestionAnswered): void {
  const asked = now.askedFor[question];
  if (asked !== undefined && now.tasks[question]?.work.kind === 'ask') now.approved = asked.files;
  forgetAsked(now, question);
}

export const forgetPermission = (now: Draft, { task, toolCall }: { task: string; toolCall: string }): void =>
  forgetAsked(now, permissionQuestion(task, toolCall));

export function forgetAsked(now: Draft, question: string): void {
  if (now.askedFor[question] === undefined) return;
  const { [question]: _closed, ...askedFor } = now.askedFor;
  now.askedFor = askedFor;
}

/** The run works on: what a person approved before is not what will be delivered. */
export function workOn(now: Draft, kind: Task['work']['kind']): void {
  if (WORKS_ON_FILES.has(kind)) now.approved = null;
}

const WORKS_ON_FILES: ReadonlySet<string> = new Set(['turn', 'command', 'call', 'merge', 'pool']);

/** What a question is about, as an open question. */
export interface AskedFiles {
  readonly files: FileMarks;
  /** An answer was void, because the files had changed since the question was asked. */
  readonly isAgain: boolean;
}
