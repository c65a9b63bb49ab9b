import type { MetricsView } from '../../../protocol/metrics/metrics-view.ts';

/** The text format of Prometheus, version 0.0.4: for a file that a node exporter reads, or a push gateway. */
export function prometheusText(view: MetricsView): string {
  return families(view)
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join('');
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'summary';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Of a summary: which of its two. */
  readonly suffix?: '_sum' | '_count';
}

function families(view: MetricsView): readonly Family[] {
  return [...runFamilies(view), ...workFamilies(view), ...toolFamilies(view), ...modelFamilies(view)];
}

function runFamilies({ runs }: MetricsView): readonly Family[] {
  const settled = runs.filter(({ outcome }) => outcome !== null);
  const byOutcome = Map.groupBy(settled, ({ workflow, outcome }) => JSON.stringify([workflow, outcome]));
  const open = Map.groupBy(
    runs.filter(({ outcome }) => outcome === null),
    ({ workflow, status }) => JSON.stringify([workflow, status]),
  );
  const times = Map.groupBy(settled, ({ workflow }) => workflow);
  return [
    counter('runs', 'Runs that are settled, by outcome.', {
      samples: [...byOutcome].map(([key, some]) => ({ labels: pair(key, 'outcome'), value: some.length })),
    }),
    {
      name: 'troupe_runs_open',
      type: 'gauge',
      help: 'Runs that are not settled, by status.',
      samples: [...open].map(([key, some]) => ({ labels: pair(key, 'status'), value: some.length })),
    },
    summary('run_duration_seconds', 'From the start of a run until it settled.', {
      samples: [...times].flatMap(([workflow, some]) =>
        sumAndCount({ workflow }, { total: some.reduce((sum, one) => sum + one.durationMs, 0), count: some.length }),
      ),
    }),
  ];
}

function pair(key: string, second: string): Readonly<Record<string, string>> {
  const [workflow = '', value = ''] = JSON.parse(key) as readonly string[];
  return { workflow, [second]: value };
}

function workFamilies({ phases, agents, agentsSpawned, minions, artifacts, errors }: MetricsView): readonly Family[] {
  return [
    summary('phase_duration_seconds', 'In a state of a workflow, or on a unit of it.', {
      samples: phases.flatMap(({ workflow, phase, within, count, durationMs: { total } }) =>
        sumAndCount({ workflow, phase, within: within ?? '' }, { total, count }),
      ),
    }),
    counter('agents_spawned', 'Agents that took a turn, once in each run.', { samples: [plain(agentsSpawned)] }),
    counter('minions_spawned', 'Sub-agents that clients started by themselves.', { samples: [plain(minions)] }),
    counter('artifacts_created', 'Artifacts, by type.', {
      samples: Object.entries(artifacts.byType).map(([type, value]) => ({ labels: { type }, value })),
    }),
    counter('turns', 'Turns of agents, by outcome.', {
      samples: agents.flatMap(({ agent, turns }) =>
        Object.entries(turns.outcomes).map(([outcome, value]) => ({ labels: { agent, outcome }, value })),
      ),
    }),
    summary('turn_duration_seconds', 'From the start of a turn to its end.', {
      samples: agents.flatMap(({ agent, turns: { count, durationMs } }) =>
        sumAndCount({ agent }, { total: durationMs.total, count }),
      ),
    }),
    counter('errors', 'Failures, also those that were fixed, by code.', {
      samples: errors.map(({ code, class: kind, count }) => ({ labels: { code, class: kind }, value: count })),
    }),
  ];
}

function toolFamilies({ tools }: MetricsView): readonly Family[] {
  return [
    counter('tool_calls', 'Uses of tools, by what became of them.', {
      samples: tools.flatMap(({ agent, tool, ok, failed, refused }) =>
        Object.entries({ ok, failed, refused }).map(([status, value]) => ({ labels: { agent, tool, status }, value })),
      ),
    }),
    summary('tool_duration_seconds', 'Time that tools took.', {
      samples: tools.flatMap(({ agent, tool, calls, durationMs: { total } }) =>
        sumAndCount({ agent, tool }, { total, count: calls }),
      ),
    }),
  ];
}

function modelFamilies({ agents, models, usage, knownCostUsd, costUsd }: MetricsView): readonly Family[] {
  return [
    counter('model_calls', 'Calls of models, by what became of them.', {
      samples: agents.flatMap(({ agent, calls }) =>
        Object.entries(calls).map(([status, value]) => ({ labels: { agent, status }, value })),
      ),
    }),
    summary('model_call_duration_seconds', 'Time that answers took.', {
      samples: models.flatMap(({ model, calls, durationMs: { total } }) =>
        sumAndCount({ model }, { total, count: calls }),
      ),
    }),
    counter('tokens', 'Tokens; those from a cache and those written to one are part of the input.', {
      samples: Object.entries({
        input: usage.inputTokens,
        output: usage.outputTokens,
        cache_read: usage.cacheReadTokens,
        cache_write: usage.cacheWriteTokens,
      }).map(([type, value]) => ({ labels: { type }, value })),
    }),
    counter('cost_usd', 'Known cost, in US dollars.', { samples: [plain(knownCostUsd)] }),
    {
      name: 'troupe_cost_known',
      type: 'gauge',
      help: '1 where every call had a known price.',
      samples: [plain(costUsd === null ? 0 : 1)],
    },
  ];
}

const counter = (name: string, help: string, { samples }: Pick<Family, 'samples'>): Family => ({
  name: `troupe_${name}_total`,
  type: 'counter',
  help,
  samples,
});

const summary = (name: string, help: string, { samples }: Pick<Family, 'samples'>): Family => ({
  name: `troupe_${name}`,
  type: 'summary',
  help,
  samples,
});

const plain = (value: number): Sample => ({ labels: {}, value });

const sumAndCount = (
  labels: Sample['labels'],
  { total, count }: { readonly total: number; readonly count: number },
): readonly Sample[] => [
  { labels, suffix: '_sum', value: total / 1000 },
  { labels, suffix: '_count', value: count },
];

function familyText({ name, type, help, samples }: Family): string {
  const head = [`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`];
  const lines = samples.map(({ labels, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${value}`);
  return `${[...head, ...lines].join('\n')}\n`;
}

function labelText(labels: Sample['labels']): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** Names are the authors' own: nothing of one may end the value or the line. */
const escaped = (value: string): string =>
  value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
