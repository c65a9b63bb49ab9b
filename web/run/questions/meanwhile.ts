import { liveRunsOf } from '../../model/live-runs.ts';
import type { RunTree } from '../../model/run-tree.ts';

/** What goes on while a question waits, in a sentence. */
export function meanwhile(tree: RunTree): string {
  const open = liveRunsOf(tree);
  if (open.some(({ snapshot }) => snapshot.paused !== null)) return 'Nothing new starts until it is answered.';
  const agents = open.flatMap(({ snapshot }) =>
    Object.values(snapshot.tasks).flatMap(({ work }) => (work.kind === 'turn' ? [work.agent] : [])),
  );
  const names = [...new Set(agents)];
  if (names.length === 0) return 'Nothing else goes on: the run waits for you, without a limit on time.';
  const verb = names.length === 1 ? 'works' : 'work';
  return `Meanwhile ${names.join(', ')} ${verb} on.`;
}
