import { mustWait, standingAnswer } from '../approval.ts';
import { readAnswer } from '../../check/check-answer.ts';
import type { PermissionWanted } from '../../model/event.ts';
import type { PermissionSettled } from '../../record/files-fact.ts';
import {
  isToolAtWork,
  openPermissions,
  PERMISSION_CHOICES,
  permissionQuestion,
  permitOf,
  type PermissionQuestion,
} from './permit.ts';
import type { StepProgress } from '../progress.ts';
import type { AskedByClient } from '../../fold/turn-state.ts';
import { filesMark, type FileMarks, type QuestionAnswered } from '../../record/question-fact.ts';
import { taskId, type TaskId } from '../../model/ids.ts';

/** A person allowed an agent to use a tool, once or always, or refused. */
export function answerPermission(progress: StepProgress, event: QuestionAnswered): void {
  const open = openPermissions(progress.snapshot);
  const asked = open.find(({ id }) => id === event.question);
  const read = readAnswer({ kind: 'permission', choices: PERMISSION_CHOICES }, event.answer);
  if (asked === undefined || !read.ok) return;
  const isKept = read.answer === 'yes' && event.mark === undefined && mustWait(progress.snapshot, event.question);
  progress.record({ ...event, answer: read.answer });
  if (isKept) return;
  const decided = decidedBy(event);
  if (read.answer === 'no') return refuse(progress, asked, decided);
  const forAll = read.answer === 'always';
  // An answer "always" also holds for calls that already wait.
  for (const one of forAll ? open.filter((other) => isSame(other, asked)) : [asked])
    allow(progress, one, { forAll, ...decided });
}

/** Accepts one answer that was kept while another command of the same message was running; its command runs then. */
export function takeKept(progress: StepProgress, id: TaskId): void {
  for (const asked of openPermissions(progress.snapshot).filter(({ task }) => task === id)) {
    const kept = progress.snapshot.askedFor[asked.id]?.kept;
    if (kept === undefined || isToolAtWork(progress.task(id)?.turn)) continue;
    const taken = standingAnswer(progress, { kind: 'question.answered', question: asked.id, ...kept });
    if (taken !== null) allow(progress, asked, { forAll: false, ...decidedBy(taken) });
  }
}

const decidedBy = ({ by, mark }: QuestionAnswered): Pick<PermissionSettled, 'by' | 'mark'> => ({
  by,
  ...(mark === undefined ? {} : { mark }),
});

function allow(
  progress: StepProgress,
  asked: PermissionQuestion,
  decided: Pick<PermissionSettled, 'forAll' | 'by' | 'mark'>,
): void {
  settlePermission(progress, asked, { isAllowed: true, ...decided });
  const { task, agent, toolCall, isOfClient } = asked;
  if (!isOfClient) progress.emit({ kind: 'tool.run', task: taskId(task), agent, toolCall });
}

/** A client asks whether it may use a built-in tool: a person decides, unless one already has. */
export function clientAsks(progress: StepProgress, request: PermissionWanted): void {
  const { task: id, call, files } = request;
  const task = progress.task(id);
  if (task?.turn == null || task.work.kind !== 'turn' || task.turn.phase !== 'calling') return;
  const before = task.turn.asked?.find((one) => one.call.id === call.id);
  const isPermitted = progress.snapshot.permits.includes(permitOf(task.work.agent, call.name));
  if (before === undefined || isForOtherFiles(before, files)) askFor(progress, request);
  else if (before.isAllowed !== null)
    return sayAgain(progress, { task: id, toolCall: call.id, isAllowed: before.isAllowed, forAll: false });
  if (isPermitted) sayAgain(progress, { task: id, toolCall: call.id, isAllowed: true, forAll: true });
}

function askFor(progress: StepProgress, { task, call, files }: PermissionWanted): void {
  progress.record({ kind: 'permission.asked', task, toolCall: call.id, call });
  if (files !== undefined)
    progress.record({ kind: 'question.asked', question: permissionQuestion(task, call.id), files });
}

/** A yes holds only for the files it was given for: an agent must not change a script after it was allowed to run it ([V3]). */
const isForOtherFiles = ({ isAllowed, mark }: AskedByClient, files: FileMarks | undefined): boolean =>
  isAllowed === true && files !== undefined && filesMark(files) !== mark;

/** Recorded each time, because only recorded effects are sent. */
function sayAgain(
  progress: StepProgress,
  { forAll, ...settled }: { task: TaskId; toolCall: string; isAllowed: boolean; forAll: boolean },
): void {
  progress.record({ kind: 'permission.settled', ...settled, forAll, by: 'before' });
  answerClient(progress, settled);
}

function answerClient(progress: StepProgress, answer: { task: TaskId; toolCall: string; isAllowed: boolean }): void {
  progress.emit({ kind: 'permission.tell', ...answer });
}

const isSame = (one: PermissionQuestion, other: PermissionQuestion): boolean =>
  one.agent === other.agent && one.toolCall.name === other.toolCall.name;

function settlePermission(
  progress: StepProgress,
  { task, toolCall, isOfClient }: PermissionQuestion,
  how: Pick<PermissionSettled, 'isAllowed' | 'forAll' | 'by' | 'mark'>,
): void {
  progress.record({ kind: 'permission.settled', task: taskId(task), toolCall: toolCall.id, ...how });
  if (isOfClient) answerClient(progress, { task: taskId(task), toolCall: toolCall.id, isAllowed: how.isAllowed });
}

function refuse(
  progress: StepProgress,
  asked: PermissionQuestion,
  decided: Pick<PermissionSettled, 'by' | 'mark'>,
): void {
  settlePermission(progress, asked, { isAllowed: false, forAll: false, ...decided });
  if (asked.isOfClient) return;
  progress.record({
    kind: 'tool.finished',
    task: taskId(asked.task),
    toolCall: asked.toolCall.id,
    content: `${decided.by} did not allow this call. Go on without it, or say what you need it for.`,
    isError: true,
    ms: 0,
    refused: 'PERMISSION_REFUSED',
  });
}
