import type { RewoundState } from '../../src/core/record/rewound-fact.ts';
import type { Snapshot, Task } from '../../src/core/fold/snapshot.ts';
import { plainSnapshot } from '../../src/core/testing/plain-snapshot.ts';

/** What of a run is that of an earlier record when it was put back there. A second list, kept apart from the core's own. */
const GOES_BACK: readonly (keyof RewoundState)[] = [
  'status',
  'input',
  'data',
  'current',
  'visits',
  'path',
  'contexts',
  'agents',
  'lastAgent',
  'childResult',
  'tasks',
  'stopping',
  'permits',
  'result',
  'failures',
];

/** That part of a snapshot as plain data; deadlines are as far away as before, so as times they differ. */
export function goesBack(snapshot: Snapshot): unknown {
  const part = Object.fromEntries(GOES_BACK.map((key) => [key, snapshot[key]]));
  const tasks = Object.entries(snapshot.tasks).map(([id, task]): [string, Task] => [
    id,
    { ...task, deadline: task.deadline === null ? null : 0 },
  ]);
  return plainSnapshot({ ...part, tasks: Object.fromEntries(tasks) } as unknown as Snapshot);
}
