import { readAnswer } from './check-answer.ts';
import type { Event } from './event.ts';
import { openPermissions, PERMISSION_CHOICES, type PermissionQuestion } from './permit.ts';
import type { Progress } from './progress.ts';
import { taskId } from './ids.ts';

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
    progress.emit({ kind: 'tool.run', task: taskId(one.task), agent: one.agent, toolCall: one.toolCall });
  }
}

const isSame = (one: PermissionQuestion, other: PermissionQuestion): boolean =>
  one.agent === other.agent && one.toolCall.name === other.toolCall.name;

function settlePermission(
  progress: Progress,
  { task, toolCall }: PermissionQuestion,
  how: { readonly isAllowed: boolean; readonly forAll: boolean; readonly by: string },
): void {
  progress.record({ kind: 'permission.settled', task: taskId(task), toolCall: toolCall.id, ...how });
}

function refuse(progress: Progress, asked: PermissionQuestion, by: string): void {
  settlePermission(progress, asked, { isAllowed: false, forAll: false, by });
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
