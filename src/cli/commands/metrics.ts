import { prometheusText } from '../../app/observers/metrics/prometheus-text.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { metricsOf } from '../../app/views/metrics-of.ts';
import { Fault } from '../../core/fault.ts';
import type { MetricsView } from '../../protocol/metrics/metrics-view.ts';
import type { Invocation } from '../command-spec.ts';
import { EXIT } from '../exit-code.ts';
import { ageOption } from '../files/age-option.ts';
import { flag, textOption, word } from '../invocation.ts';
import { metricsText } from '../metrics/metrics-text.ts';
import { withLooking } from '../session/looking.ts';

/** `troupe metrics [RUN]`: how long, how often, how well and for how much; of one run, or of all of a project. */
export async function metricsCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const asked = askedFor(invocation);
  const named = word(invocation, 0);
  const view = await withLooking(invocation, async (looking) => {
    const found = named === undefined ? null : await findRun(looking.store.journal, named, terminal.folder);
    const request = { run: found?.run ?? null, isAll: flag(invocation, 'all'), since: asked.since };
    return await metricsOf(looking, request);
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

const unreadableText = (runs: readonly string[]): string =>
  `not counted, because their journals cannot be read: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ', …' : ''}`;
