import { Fault } from '../../core/fault.ts';
import { rootRunId, type RunId } from '../../core/ids.ts';
import { countTree, type TreeFigures } from '../../protocol/metrics/count-tree.ts';
import { Metrics } from '../../protocol/metrics/metrics.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { withoutTaken } from '../../app/results/taken-branches.ts';
import { ageOption } from '../files/age-option.ts';
import { flag, textOption, word } from '../invocation.ts';
import { treeRecords } from '../../app/observers/logs/run-feed.ts';
import { KeptFigures } from '../../app/observers/metrics/kept-figures.ts';
import { metricsText } from '../metrics/metrics-text.ts';
import { prometheusText } from '../../app/observers/metrics/prometheus-text.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { withStore } from '../../app/world/store.ts';

/** `troupe metrics [RUN]`: how long, how often, how well and for how much; of one run, or of all of a project. */
export async function metricsCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const asked = askedFor(invocation);
  const view = await withStore(terminal, async ({ home, journal }) => {
    const trees = await chosenTrees(journal, invocation, asked.since);
    const kept = trees.length > 1 ? new KeptFigures(home, invocation.version) : null;
    return await metricsOf({ journal, kept, now: Date.now() }, trees, asked.since);
  });
  if (view.unreadable.length > 0) terminal.stderr.write(`troupe: ${unreadableText(view.unreadable)}\n`);
  terminal.stdout.write(asked.print(view));
  return EXIT.ok;
}

interface Asked {
  /** Runs that began since then. */
  readonly since: number | null;
  readonly print: (view: MetricsView) => string;
}

/** Looked at before the journal is opened. */
function askedFor(invocation: Invocation): Asked {
  const [json, prometheus] = [flag(invocation, 'json'), flag(invocation, 'prometheus')];
  if (json && prometheus) throw new Fault('USAGE', '--json and --prometheus are two ways to say the same; take one.');
  const age = textOption(invocation, 'since');
  if (age !== undefined && word(invocation, 0) !== undefined) {
    throw new Fault('USAGE', '--since chooses among runs; a run that is named is counted whole.');
  }
  const width = invocation.terminal.stdout.columns || 80;
  return {
    since: age === undefined ? null : Date.now() - ageOption(age),
    print: json
      ? (view) => `${JSON.stringify(view)}\n`
      : prometheus
        ? prometheusText
        : (view) => `${metricsText(view, width)}\n`,
  };
}

/** A run that a person started, and all runs of its tree with those above first. */
interface ChosenTree {
  readonly info: RunInfo;
  readonly runs: readonly RunInfo[];
}

/** The named run; without a name the runs of this project, or of all projects outside of one. Lists the journal once. */
async function chosenTrees(
  journal: Journal,
  invocation: Invocation,
  since: number | null,
): Promise<readonly ChosenTree[]> {
  const { folder } = invocation.terminal;
  const named = word(invocation, 0);
  const found = named === undefined ? null : (await findRun(journal, named, folder)).run;
  const project = flag(invocation, 'all') ? null : enclosingProject(folder);
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
  const infos = await withoutTaken(trees.map(({ info }) => info));
  return trees.map((tree, at) => ({ ...tree, info: infos[at] ?? tree.info }));
}

const topOf = (run: RunId, top: RunId): RunId => (run.startsWith(`${top}/`) ? top : run);

interface Counting {
  readonly journal: Journal;
  /** Null for a single run: it is counted from its records, which are checked while they are read. */
  readonly kept: KeptFigures | null;
  readonly now: number;
}

/** One damaged run must not hide the others. */
async function metricsOf(counting: Counting, trees: readonly ChosenTree[], since: number | null): Promise<MetricsView> {
  const metrics = new Metrics(counting.now);
  const unreadable: string[] = [];
  for (const tree of trees) {
    try {
      const { run, title, project, status, driven, result } = tree.info;
      const about = { run, title, project, status, driven, ...(result === undefined ? {} : { result }) };
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
  const records = await treeRecords(
    journal,
    runs.map(({ run }) => run),
  );
  const figures = countTree(info.run, records, { isDriven: info.driven, now });
  kept?.keep(runs, figures);
  return figures;
}

const unreadableText = (runs: readonly string[]): string =>
  `not counted, because their journals cannot be read: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ', …' : ''}`;
