import { createWorkspaces } from '../../workspace/workspaces.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { ageOption } from '../files/age-option.ts';
import { DEFAULT_RETENTION } from '../../app/results/prune-plan.ts';
import { pruneRuns, type Pruning } from '../../app/results/prune-runs.ts';
import { countOption, flag, textOption } from '../invocation.ts';
import { withStore } from '../../app/world/store.ts';
import { counted, space } from '../../protocol/amounts.ts';

/** `troupe prune`: removes the files of old runs, of all projects; what the runs did stays in the journal. */
export async function pruneCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const age = textOption(invocation, 'olderThan');
  const retention = {
    olderThanMs: age === undefined ? DEFAULT_RETENTION.olderThanMs : ageOption(age),
    keep: countOption(invocation, 'keep', 0) ?? DEFAULT_RETENTION.keep,
  };
  const isDry = flag(invocation, 'dryRun');
  const pruning = await withStore(terminal, async (store) => {
    const workspaces = createWorkspaces({ home: store.home });
    try {
      return await pruneRuns({ store, workspaces, retention, isDry, now: Date.now() });
    } finally {
      await workspaces.close();
    }
  });
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify({ kind: 'prune', isDry, ...pruning })}\n`);
  else terminal.stdout.write(`${pruneLines(pruning, isDry).join('\n')}\n`);
  return EXIT.ok;
}

function pruneLines({ runs, snapshots, caches }: Pruning, isDry: boolean): readonly string[] {
  const bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  const verb = isDry ? 'would remove' : 'removed';
  const of = `the workspaces of ${counted(runs.length, 'run')}`;
  return [
    ...runs.map(({ run, bytes: own }) => `${verb}  ${run}  ${space(own)}`),
    isDry
      ? `${verb} ${of}: ${space(bytes)}, and the snapshots that nothing else needs`
      : `${verb} ${of}: ${space(bytes)}, and ${counted(snapshots.objects, 'object')} of snapshots: ${space(snapshots.bytes)}`,
    ...(caches.entries === 0 ? [] : [`${verb} ${unused(caches.entries)}: ${space(caches.bytes)}`]),
  ];
}

const unused = (entries: number): string => `${counted(entries, 'result')} of setup commands and searches, long unused`;
