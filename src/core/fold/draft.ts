import type { Snapshot, Task } from './snapshot.ts';

/**
 * A snapshot that is being made: a private copy, and so is its dictionary of tasks. The other objects below it are shared and
 * never changed.
 */
export type Draft = {
  -readonly [Key in keyof Snapshot]: Key extends 'tasks' ? Record<string, Task> : Snapshot[Key];
};

export const startDraft = (snapshot: Snapshot): Draft => ({ ...snapshot, tasks: tasksIn(snapshot.tasks) });

/**
 * Without a prototype V8 keeps the tasks in a hash table. Their ids never come back, so an ordinary object would get its own
 * hidden class with every task.
 */
export function tasksIn(tasks: Snapshot['tasks']): Draft['tasks'] {
  const copy = Object.create(null) as Draft['tasks'];
  for (const id of Object.keys(tasks)) copy[id] = tasks[id] as Task;
  return copy;
}
