import { readAnswer } from './check-answer.ts';
import type { Event } from './event.ts';
import { openPermissions, PERMISSION_CHOICES, permitOf, type PermissionQuestion } from './permit.ts';
import type { Progress } from './progress.ts';
import { taskId, type TaskId } from './ids.ts';

type Answered = Extract<Event, { kind: 'question.answered' }>;

/** A person let an agent use a tool, this once or always, or did not. */
export function answerPermission(progress: Progress, event: Answered): void {
  const open = openPermissions(progress.snapshot);
  const asked = open.find(({ id }) => id === event.question);
  const read = readAnswer({ kind: 'permission', choices: PERMISSION_CHOICES }, event.answer);
  if (asked === undefined || !read.ok) return;
  progress.record({ ...event, answer: read.answer });
  if (read.answer === 'no') return refuse(progress, asked, event.by);
  const forAll = read.answer === 'always';
  // Whoever said always need not say it again for a call that waits already.
  for (const one of forAll ? open.filter((other) => isSame(other, asked)) : [asked]) {
    settlePermission(progress, one, { isAllowed: true, forAll, by: event.by });
    if (!one.isOfClient)
      progress.emit({ kind: 'tool.run', task: taskId(one.task), agent: one.agent, toolCall: one.toolCall });
  }
}

/** A client asks whether it may use one of its own tools: a person decides, unless one has already. */
export function clientAsks(
  progress: Progress,
  { task: id, call }: Extract<Event, { kind: 'permission.wanted' }>,
): void {
  const task = progress.task(id);
  if (task?.turn == null || task.work.kind !== 'turn' || task.turn.phase !== 'calling') return;
  const before = task.turn.asked?.find((one) => one.call.id === call.id);
  const isPermitted = progress.snapshot.permits.includes(permitOf(task.work.agent, call.name));
  if (before === undefined) progress.record({ kind: 'permission.asked', task: id, toolCall: call.id, call });
  else if (before.isAllowed !== null)
    return sayAgain(progress, { task: id, toolCall: call.id, isAllowed: before.isAllowed, forAll: false });
  if (isPermitted) sayAgain(progress, { task: id, toolCall: call.id, isAllowed: true, forAll: true });
}

/** Recorded each time: what nothing was recorded about reaches nobody. */
function sayAgain(
  progress: Progress,
  { forAll, ...told }: { task: TaskId; toolCall: string; isAllowed: boolean; forAll: boolean },
): void {
  progress.record({ kind: 'permission.settled', ...told, forAll, by: 'before' });
  tell(progress, told);
}

function tell(progress: Progress, told: { task: TaskId; toolCall: string; isAllowed: boolean }): void {
  progress.emit({ kind: 'permission.tell', ...told });
}

const isSame = (one: PermissionQuestion, other: PermissionQuestion): boolean =>
  one.agent === other.agent && one.toolCall.name === other.toolCall.name;

function settlePermission(
  progress: Progress,
  { task, toolCall, isOfClient }: PermissionQuestion,
  how: { readonly isAllowed: boolean; readonly forAll: boolean; readonly by: string },
): void {
  progress.record({ kind: 'permission.settled', task: taskId(task), toolCall: toolCall.id, ...how });
  if (isOfClient) tell(progress, { task: taskId(task), toolCall: toolCall.id, isAllowed: how.isAllowed });
}

function refuse(progress: Progress, asked: PermissionQuestion, by: string): void {
  settlePermission(progress, asked, { isAllowed: false, forAll: false, by });
  if (asked.isOfClient) return;
  progress.record({
    kind: 'tool.finished',
    task: taskId(asked.task),
    toolCall: asked.toolCall.id,
    content: `${by} did not allow this call. Go on without it, or say what you need it for.`,
    isError: true,
    ms: 0,
    refused: 'PERMISSION_REFUSED',
  });
}
