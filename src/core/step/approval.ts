import { saidIn } from '../fold/apply-questions.ts';
import type { AskedFiles, Snapshot, Task } from '../fold/snapshot.ts';
import { readAnswer } from '../check/check-answer.ts';
import type { Event } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import { isPermission, isToolAtWork, openPermissions, PERMISSION_CHOICES, permissionQuestion } from './turn/permit.ts';
import type { StepProgress } from './progress.ts';
import { filesMark, isApproval, type FileMarks, type QuestionAnswered } from '../record/question-fact.ts';

/**
 * Approvals: answers to questions that name their choices or say that they approve, and to requests for a tool ([V3]).
 *
 * [V3] An approval holds for one question and the files it was asked for. Where these changed before the answer is taken, the
 *      answer is void, and the question is asked again for the files there are now. Of several commands in one message, one that
 *      was allowed may change the files: the others stand for what it leaves.
 */

/** The task that asks for an approval; null where the question is closed, takes any text, or is about a limit. */
export function approvalTask(snapshot: Snapshot, question: string): Task | null {
  const asked = openPermissions(snapshot).find(({ id }) => id === question);
  const id = asked?.task ?? question;
  const task = Object.hasOwn(snapshot.tasks, id) ? snapshot.tasks[id] : undefined;
  return task !== undefined && (asked !== undefined || isApproval(task.work)) ? task : null;
}

/** The mark of the files that an open question was asked for. */
export function askedMark({ askedFor }: Pick<Snapshot, 'askedFor'>, question: string): string | undefined {
  return askedFor[question]?.mark;
}

/** The task whose files must be read before this answer is accepted; null if the answer is not about files. */
export function taskToLookAt(snapshot: Snapshot, { question, answer }: QuestionAnswered): Task | null {
  const task = approvalTask(snapshot, question);
  return task === null || holdsForAnyFiles(question, answer) || mustWait(snapshot, question) ? null : task;
}

/** Refusing a tool is about no files, and always allowing it is about all of them. */
const holdsForAnyFiles = (question: string, answer: Json): boolean => isPermission(question) && !isOnce(answer);

/** Another command of the same message is still changing the folder, so a yes is kept until it has ended. */
export function mustWait(snapshot: Snapshot, question: string): boolean {
  if (!isPermission(question) || snapshot.askedFor[question] === undefined) return false;
  return isToolAtWork(approvalTask(snapshot, question)?.turn);
}

/** Orders the host to read the files that a question is about, if they are unknown. */
export function lookAtFiles(progress: StepProgress, task: TaskId, question: string): void {
  if (progress.snapshot.askedFor[question] === undefined) progress.emit({ kind: 'question.look', task, question });
}

/** Reads the files that a tool is asked for, once no other tool of the turn is running, so that none of them voids the answer. */
export function lookWhenStill(progress: StepProgress, id: TaskId): void {
  const turn = progress.task(id)?.turn;
  if (isToolAtWork(turn)) return;
  for (const toolCall of turn?.asking ?? []) lookAtFiles(progress, id, permissionQuestion(id, toolCall));
}

export function filesLookedAt(
  progress: StepProgress,
  { question, files }: Extract<Event, { kind: 'question.looked' }>,
): void {
  const { snapshot } = progress;
  const task = approvalTask(snapshot, question);
  // A command that was allowed meanwhile changes them: they are read again when it has ended.
  if (task === null || isToolAtWork(task.turn) || snapshot.askedFor[question] !== undefined) return;
  progress.record({ kind: 'question.asked', question, files });
}

/** The answer to record; null if it was given for different files than there are now, which asks again. */
export function standingAnswer(
  progress: StepProgress,
  { files: looked, ...event }: Extract<Event, { kind: 'question.answered' }>,
): QuestionAnswered | null {
  const { snapshot } = progress;
  const { question, answer } = event;
  if (approvalTask(snapshot, question) === null || holdsForAnyFiles(question, answer)) return event;
  const asked = snapshot.askedFor[question];
  if (mustWait(snapshot, question)) return isForOthers(event, asked?.mark) ? null : withoutMark(event);
  const files = looked ?? filesSince(question, asked);
  return files === undefined ? event : heldTo(progress, event, files);
}

function heldTo(progress: StepProgress, event: QuestionAnswered, files: FileMarks): QuestionAnswered | null {
  const { question } = event;
  const asked = progress.snapshot.askedFor[question];
  const mark = filesMark(files);
  const isVoid = asked !== undefined && ![asked.mark, filesMark(asked.files)].includes(mark);
  const refused = isVoid ? { refused: saidIn(event) } : {};
  // If the files were not read before, the answer is for the current ones.
  if (isVoid || asked === undefined) progress.record({ kind: 'question.asked', question, files, ...refused });
  return isVoid || isForOthers(event, asked?.mark ?? mark) ? null : { ...event, mark };
}

/** The files an answer is for are known when it is accepted. */
const withoutMark = ({ mark: _shown, ...event }: QuestionAnswered): QuestionAnswered => event;

/** The files that a command is asked for, according to the journal. */
const filesSince = (question: string, asked: AskedFiles | undefined): FileMarks | undefined =>
  isPermission(question) ? (asked?.since ?? asked?.files) : undefined;

/** The surface where it was given showed different files. */
const isForOthers = (given: QuestionAnswered, mark: string | undefined): boolean =>
  given.mark !== undefined && given.mark !== mark;

function isOnce(answer: Json): boolean {
  const read = readAnswer({ kind: 'permission', choices: PERMISSION_CHOICES }, answer);
  return read.ok && read.answer === 'yes';
}
