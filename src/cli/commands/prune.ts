import { PROJECT } from '../../protocol/operations/project.ts';
import { pruneRuns, type Pruning } from '../../app/results/prune-runs.ts';
import { ageOption, cliRequest, countOption, flag, type Invocation } from '../invocation.ts';
import { withStore } from '../../app/world/store.ts';
import { counted, space } from '../../protocol/amounts.ts';
import { printAnswer } from '../terminal/terminal.ts';

/** `troupe prune`: removes the files of old runs, of all projects; what the runs did stays in the journal. */
export async function pruneCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const request = cliRequest(PROJECT.prune.request, {
    olderThanMs: ageOption(invocation, 'olderThan'),
    keep: countOption(invocation, 'keep', 0),
    isDry: flag(invocation, 'dryRun'),
  });
  const { isDry } = request;
  const pruning = await withStore(terminal, (store) => pruneRuns(store, request));
  printAnswer(terminal, { kind: 'prune', isDry, ...pruning }, () => pruneLines(pruning, isDry).join('\n'));
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
