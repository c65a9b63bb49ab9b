import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import { countTree, type TreeFigures } from '../../protocol/metrics/count-tree.ts';
import type { MetricsView, RunFigures } from '../../protocol/metrics/metrics-view.ts';
import { Metrics } from '../../protocol/metrics/metrics.ts';
import { enclosingProject } from '../config/project.ts';
import { KeptFigures } from '../observers/metrics/kept-figures.ts';
import { withGit } from '../results/with-git.ts';
import { TreeReader } from '../runs/tree-reader.ts';
import type { Looking } from '../world/store.ts';

export interface MetricsRequest {
  /** Null: the runs of the caller's project, or of all projects outside of one. */
  readonly run: RunId | null;
  /** Of all projects. */
  readonly isAll: boolean;
  /** Only runs that began since then. */
  readonly since: number | null;
}

/** How long, how often, how well and for how much; of one run, or of many. */
export async function metricsOf(looking: Looking, request: MetricsRequest): Promise<MetricsView> {
  const { store, version } = looking;
  const trees = await chosenTrees(looking, request);
  const kept = trees.length > 1 ? new KeptFigures(store.home, version) : null;
  return await counted({ journal: store.journal, kept, now: Date.now() }, trees, request.since);
}

/** A run that a person started, and all runs of its tree with those above first. */
interface ChosenTree {
  readonly info: RunInfo & Pick<RunFigures, 'result'>;
  readonly runs: readonly RunInfo[];
}

/** The named run; without a name the runs of this project, or of all projects outside of one. Lists the journal once. */
async function chosenTrees(
  { store: { journal }, caller: { folder } }: Looking,
  { run: found, isAll, since }: MetricsRequest,
): Promise<readonly ChosenTree[]> {
  const project = isAll ? null : enclosingProject(folder);
  const isChosen = (info: RunInfo): boolean =>
    found === null
      ? info.parent === null && (project === null || info.project === project) && info.at >= (since ?? -Infinity)
      : info.run === found;
  const all = await journal.runs();
  const chosen = new Map(all.filter(isChosen).map((info) => [info.run, { info, runs: [] as RunInfo[] }]));
  // Listed newest first: from the back, parents come before their children.
  for (const info of all.toReversed())
    chosen.get(found === null ? rootRunId(info.run) : topOf(info.run, found))?.runs.push(info);
  const trees = [...chosen.values()];
  const infos = await withGit(trees.map(({ info }) => info));
  return infos.map((info, at) => ({ info, runs: trees[at]?.runs ?? [] }));
}

const topOf = (run: RunId, top: RunId): RunId => (run.startsWith(`${top}/`) ? top : run);

interface Counting {
  readonly journal: Journal;
  /** Null for a single run: it is counted from its records, which are checked while they are read. */
  readonly kept: KeptFigures | null;
  readonly now: number;
}

/** One damaged run must not hide the others. */
async function counted(counting: Counting, trees: readonly ChosenTree[], since: number | null): Promise<MetricsView> {
  const metrics = new Metrics(counting.now);
  const unreadable: string[] = [];
  for (const tree of trees) {
    try {
      const { run, title, project, status, driven, result } = tree.info;
      const about = { run, title, project, status, driven, result };
      metrics.addTree(about, await figuresOf(counting, tree));
    } catch (error) {
      if (trees.length === 1) throw error;
      unreadable.push(tree.info.run);
    }
  }
  counting.kept?.save();
  return metrics.view({ since, unreadable });
}

async function figuresOf({ journal, kept, now }: Counting, { info, runs }: ChosenTree): Promise<TreeFigures> {
  const found = kept?.find(runs);
  if (found !== undefined) return found;
  const records = await new TreeReader(journal, info.run).readOn();
  const figures = countTree(info.run, records, { isDriven: info.driven, now, wakesAt: info.wakesAt });
  kept?.keep(runs, figures);
  return figures;
}
