import { prometheusText } from '../../app/observers/metrics/prometheus-text.ts';
import { findRun } from '../../app/runs/find-run.ts';
import { metricsOf } from '../../app/views/metrics-of.ts';
import { Fault } from '../../core/model/fault.ts';
import type { MetricsView, OutcomeCounts, RunFigures } from '../../protocol/metrics/metrics-view.ts';
import { flag, type Invocation, word, ageOption } from '../invocation.ts';
import { withLooking } from './carry-out.ts';
import { costText, durationText, knownCostText } from '../../core/look/amount-text.ts';
import { cachedPercent } from '../../core/model/usage.ts';
import { counted, localTime } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { statusText } from '../../protocol/status-word.ts';
import { table } from '../terminal/table.ts';

/** The figures for people, in 80 columns. */
export function metricsText(view: MetricsView, width = 80): string {
  const [only, another] = view.runs;
  if (only === undefined) return emptyText(view);
  const head = another === undefined ? oneRun(only) : manyRuns(view);
  const tables = [phaseRows(view), agentRows(view), toolRows(view), modelRows(view), errorRows(view)];
  const blocks = [[...head, ...sums(view)], ...tables.filter((rows) => rows.length > 1)];
  return blocks.map((rows) => table(rows, width)).join('\n\n');
}

function emptyText({ since, unreadable }: MetricsView): string {
  if (unreadable.length > 0) return 'No run could be counted.';
  return since === null ? 'No runs yet.' : 'No runs in that time.';
}

type Rows = readonly (readonly string[])[];

function oneRun(figures: RunFigures): Rows {
  const { run, workflow, startedAt, durationMs, waitedMs, pausedMs } = figures;
  return [
    ['run', `${run}  ${name(workflow, 40)}`],
    ['status', statusText(figures)],
    ['began', localTime(startedAt)],
    ['took', durationText(durationMs)],
    ...(waitedMs === 0 ? [] : [['waited', `${durationText(waitedMs)} for a person`]]),
    ...(pausedMs === 0 ? [] : [['paused', durationText(pausedMs)]]),
  ];
}

function manyRuns({ runs, since, outcomes, successRate, errorRate, durationMs }: MetricsView): Rows {
  const open = runs.filter(({ outcome }) => outcome === null).length;
  return [
    [
      'runs',
      [counted(runs.length, 'run'), outcomesText(outcomes), open === 0 ? '' : `${open} open`]
        .filter(Boolean)
        .join('; '),
    ],
    ...(since === null ? [] : [['since', localTime(since)]]),
    ['success', `${percent(successRate)}, errors ${percent(errorRate)}`],
    ['took', `${time(durationMs.average)} on average, ${time(durationMs.longest)} at most`],
  ];
}

function sums({ agentsSpawned, minions, artifacts, tasks, usage, costUsd, knownCostUsd }: MetricsView): Rows {
  const types = Object.entries(artifacts.byType).map(([type, count]) => `${count} ${type}`);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return [
    ['agents', `${agentsSpawned}${minions === 0 ? '' : `, and ${counted(minions, 'minion')} of clients`}`],
    ['tasks', `${tasks.count}${bracket(outcomesText(tasks.outcomes))}, ${time(tasks.durationMs.average)} on average`],
    ['artifacts', `${artifacts.total}${bracket(types.join(', '))}`],
    [
      'tokens',
      `${count(inputTokens)} in (${count(cacheReadTokens)} or ${cachedPercent(usage)}% from cache, ${count(cacheWriteTokens)} to it), ${count(outputTokens)} out`,
    ],
    ['cost', knownCostText({ costUsd, knownCostUsd })],
  ];
}

function phaseRows({ phases }: MetricsView): Rows {
  const workflows = new Set(phases.map(({ workflow }) => workflow));
  const rows = phases.map(({ workflow, phase, within, count: times, durationMs, outcomes }) => [
    name(`${within === null ? '' : '  '}${workflows.size > 1 ? `${workflow}: ` : ''}${phase}`, 30),
    String(times),
    durationText(durationMs.total),
    time(durationMs.average),
    outcomesText(outcomes),
  ]);
  return [['PHASE', 'TIMES', 'TOOK', 'AVERAGE', 'OUTCOME'], ...rows];
}

function agentRows({ agents }: MetricsView): Rows {
  const rows = agents.map(({ agent, turns, calls, tools, usage, costUsd }) => [
    name(agent, 20),
    String(turns.count),
    time(turns.durationMs.average),
    `${calls.answered}${calls.failed === 0 ? '' : ` +${calls.failed} failed`}`,
    tools.calls === 0 ? '-' : `${tools.calls} (${percent(tools.successRate)} ok)`,
    `${count(usage.inputTokens)}/${count(usage.outputTokens)}`,
    costText(costUsd, 'unknown'),
  ]);
  return [['AGENT', 'TURNS', 'AVERAGE', 'CALLS', 'TOOLS', 'TOKENS', 'COST'], ...rows];
}

function toolRows({ tools }: MetricsView): Rows {
  const rows = tools.map(({ tool, agent, calls, ok, failed, refused, durationMs }) => [
    name(tool, 24),
    name(agent, 20),
    ...[calls, ok, failed, refused].map(String),
    time(durationMs.average),
  ]);
  return [['TOOL', 'AGENT', 'CALLS', 'OK', 'FAILED', 'REFUSED', 'AVERAGE'], ...rows];
}

function modelRows({ models }: MetricsView): Rows {
  const rows = models.map(({ model, calls, durationMs, usage, costUsd }) => [
    name(model, 32),
    String(calls),
    time(durationMs.average),
    `${count(usage.inputTokens)}/${count(usage.outputTokens)}`,
    costText(costUsd, 'unknown'),
  ]);
  return [['MODEL', 'CALLS', 'AVERAGE', 'TOKENS', 'COST'], ...rows];
}

const errorRows = ({ errors }: MetricsView): Rows => [
  ['ERROR', 'TIMES', 'CLASS'],
  ...errors.map(({ code, count: times, class: kind }) => [name(code, 40), String(times), kind]),
];

/** What authors and models named; the indent of a unit stays. */
const name = (text: string, width: number): string => `${/^ */.exec(text)?.[0] ?? ''}${oneLine(text, width)}`;

const outcomesText = (outcomes: OutcomeCounts): string =>
  Object.entries(outcomes)
    .map(([outcome, times]) => `${times} ${outcome}`)
    .join(', ');

const bracket = (text: string): string => (text === '' ? '' : ` (${text})`);

const time = (ms: number | null): string => (ms === null ? '-' : durationText(ms));

const percent = (rate: number | null): string => (rate === null ? '-' : `${Math.round(100 * rate)} %`);

/** To three figures: `950`, `12.3k`, `4.5M`. */
function count(value: number): string {
  if (value < 1000) return String(value);
  const [scaled, unit] = value < 1_000_000 ? [value / 1000, 'k'] : [value / 1_000_000, 'M'];
  return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** `troupe metrics [RUN]`: how long, how often, how well and for how much; of one run, or of all of a project. */
export async function metricsCommand(invocation: Invocation): Promise<void> {
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
  const age = ageOption(invocation, 'since');
  if (age !== undefined && word(invocation, 0) !== undefined) {
    throw new Fault('USAGE', '--since chooses among runs; a run that is named is counted whole.');
  }
  const width = invocation.terminal.stdout.columns || 80;
  return {
    since: age === undefined ? null : Date.now() - age,
    print: json
      ? (view) => `${JSON.stringify(view)}\n`
      : prometheus
        ? prometheusText
        : (view) => `${metricsText(view, width)}\n`,
  };
}

const unreadableText = (runs: readonly string[]): string =>
  `not counted, because their journals cannot be read: ${runs.slice(0, 5).join(', ')}${runs.length > 5 ? ', …' : ''}`;
