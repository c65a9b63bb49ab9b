import { Fault } from '../../core/fault.ts';
import { Metrics } from '../../protocol/metrics/metrics.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { Invocation } from '../command-spec.ts';
import { enclosingProject } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { ageOption } from '../files/age-option.ts';
import { flag, textOption, word } from '../invocation.ts';
import { RunFeed } from '../logs/run-feed.ts';
import { metricsText } from '../metrics/metrics-text.ts';
import { prometheusText } from '../metrics/prometheus-text.ts';
import { findRun } from '../session/find-run.ts';
import { withStore } from '../session/store.ts';

/** `troupe metrics [RUN]`: how long, how often, how well and for how much; of one run, or of all of a project. */
export async function metricsCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const asked = askedFor(invocation);
  const view = await withStore(terminal, async ({ journal }) => {
    const runs = await chosenRuns(journal, invocation, asked.since);
    return await metricsOf(journal, runs, asked.since);
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

/** The run that is named; else, inside a project, its own, and anywhere else all of them. */
async function chosenRuns(journal: Journal, invocation: Invocation, since: number | null): Promise<readonly RunInfo[]> {
  const { folder } = invocation.terminal;
  const named = word(invocation, 0);
  if (named !== undefined) return [await findRun(journal, named, folder)];
  const project = flag(invocation, 'all') ? null : enclosingProject(folder);
  const runs = await journal.runs({ parent: null });
  return runs.filter((info) => (project === null || info.project === project) && info.at >= (since ?? -Infinity));
}

/** One damaged run must not hide the others. */
async function metricsOf(journal: Journal, runs: readonly RunInfo[], since: number | null): Promise<MetricsView> {
  const metrics = new Metrics(Date.now());
  const unreadable: string[] = [];
  for (const { run, title, project, status } of runs) {
    try {
      metrics.add({ run, title, project, status, records: await new RunFeed(journal, run).readOn() });
    } catch (error) {
      if (runs.length === 1) throw error;
      unreadable.push(run);
    }
  }
  return metrics.view({ since, unreadable });
}

const unreadableText = (runs: readonly string[]): string =>
  `not counted, because their journals cannot be read: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ', …' : ''}`;
