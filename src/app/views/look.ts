import { unreachable } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';
import type { RunInfo } from '../../journal/port.ts';
import { BusLines } from '../../protocol/bus/bus-line.ts';
import type { View } from '../../protocol/operations/views.ts';
import { foldDebate } from '../../protocol/review/fold-debate.ts';
import { branchList } from '../results/branch-list.ts';
import { findRun } from '../runs/find-run.ts';
import type { Asking } from '../runs/session.ts';
import type { OpenStore } from '../world/store.ts';
import { artifactLine, withArtifacts } from './artifacts-of.ts';
import { readTree } from './artifacts/read-tree.ts';
import { changesLine, changesOf } from './changes-of.ts';
import { comparePair, compareRun, pairLine } from './compare-run.ts';
import type { Looking } from './looking.ts';
import { metricsOf } from './metrics-of.ts';
import { rawTurns } from './raw-logs.ts';
import { requestsOf } from './requests-of.ts';
import { findReview } from './review/find-review.ts';
import { showRun } from './show-run.ts';

export interface LookAsking extends Asking {
  readonly store: OpenStore;
}

/** What a view of a run shows, as programs get it. */
export async function look(asking: LookAsking, view: View): Promise<Json> {
  const { caller, store } = asking;
  const info = await findRun(store.journal, view.run, caller.folder);
  const value = view.kind === 'requests' ? await requestsOf(asking, view) : await seen(asking, info, view);
  return caller.secrets.redactJson(JSON.parse(JSON.stringify(value)) as Json);
}

async function seen(looking: Looking, info: RunInfo, view: Exclude<View, { readonly kind: 'requests' }>) {
  const { store, caller } = looking;
  const { run } = info;
  switch (view.kind) {
    case 'show':
      return await showRun(looking, run);
    case 'debate': {
      const { records, info: of } = await findReview(store.journal, run, caller.folder);
      return foldDebate(records, { title: of.title, driven: of.driven });
    }
    case 'messages': {
      const lines = new BusLines();
      return (await readTree(store.journal, run)).map((record) => lines.tell(record)).filter((line) => line !== null);
    }
    case 'metrics':
      return await metricsOf(looking, { run, isAll: false, since: null });
    case 'branches':
      return { kind: 'branches', run, ...(await branchList(info.project)) };
    case 'compare':
      if (view.between === undefined) return await compareRun(looking, run);
      return pairLine(await comparePair(looking, run, view.between));
    case 'changes':
      return changesLine(run, await changesOf(looking, info, { ...view, hasSizes: true }));
    case 'rawLogs':
      return await rawLines(store, info, view.task);
    case 'artifacts':
    case 'artifact':
      return await artifactsIn(looking, info, view);
    default:
      return unreachable(view);
  }
}

async function artifactsIn(
  looking: Looking,
  info: RunInfo,
  view: Extract<View, { readonly kind: 'artifacts' | 'artifact' }>,
): Promise<object> {
  return await withArtifacts(looking, info, async (artifacts) => {
    const { run, own } = artifacts;
    if (view.kind === 'artifact') return await artifactLine(artifacts, artifacts.find(view.artifact));
    return view.why === true
      ? { kind: 'why', run, artifacts: artifacts.why(null) }
      : { kind: 'artifacts', run, artifacts: own };
  });
}

async function rawLines(store: OpenStore, { run }: RunInfo, wanted: string | undefined): Promise<readonly object[]> {
  const turns = await rawTurns(store, run, wanted);
  const all = await Promise.all(
    turns.map(async ({ task, lines }) => (await lines()).map((line) => ({ run, task, line }))),
  );
  return all.flat();
}
