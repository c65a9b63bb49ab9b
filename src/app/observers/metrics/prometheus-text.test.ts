import { expect, test } from 'vitest';
import { Metrics } from '../../../protocol/metrics/metrics.ts';
import type { MetricsView } from '../../../protocol/metrics/metrics-view.ts';
import { prometheusText } from './prometheus-text.ts';

const EMPTY = new Metrics(0).view();
const TIME = { total: 1500, average: 1500, longest: 1500 };

const NAMED = (agent: string): MetricsView => ({
  ...EMPTY,
  tools: [{ tool: 'read_file', agent, calls: 2, ok: 1, failed: 1, refused: 0, successRate: 0.5, durationMs: TIME }],
  errors: [{ code: 'X', class: 'server', count: 3 }],
  knownCostUsd: 0.25,
});

interface Family {
  type: string;
  readonly samples: string[];
}

const HELP = /^# HELP ([a-z_]+) (?:[^\\]|\\\\|\\n)+$/;
const TYPE = /^# TYPE ([a-z_]+) (counter|gauge|summary)$/;
const SAMPLE = /^([a-z_]+)(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*\})? \d+(?:\.\d+)?(?:e-?\d+)?$/;

/** A reader of the format, as strict as its description: a name is introduced once, and its samples follow. */
function parse(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  let current = '';
  const refuse = (why: string): never => {
    throw new Error(why);
  };
  if (!text.endsWith('\n')) refuse('the last line has no end');
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = HELP.exec(line) ?? [];
    const [, typed, type = ''] = TYPE.exec(line) ?? [];
    const [, sampled = ''] = SAMPLE.exec(line) ?? [];
    const family = families.get(help ?? current) ?? { type: '', samples: [] };
    if (help !== undefined) {
      if (families.has(help)) refuse(`${help} is introduced twice`);
      families.set((current = help), family);
    } else if (typed === current) family.type = type;
    else {
      const endings = family.type === 'summary' ? ['_sum', '_count'] : [''];
      if (!endings.some((ending) => sampled === `${current}${ending}`)) refuse(`no line of ${current}: ${line}`);
      family.samples.push(line);
    }
  }
  return families;
}

test('[PH8] every family has its help and type once; counters end in _total', () => {
  const families = parse(prometheusText(NAMED('coder')));
  for (const [name, { type, samples }] of families) {
    expect(name.startsWith('troupe_')).toBe(true);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(new Set(samples.map((line) => line.slice(0, line.lastIndexOf(' ')))).size).toBe(samples.length);
  }
  expect(families.get('troupe_tool_duration_seconds')).toEqual({
    type: 'summary',
    samples: [
      'troupe_tool_duration_seconds_sum{agent="coder",tool="read_file"} 1.5',
      'troupe_tool_duration_seconds_count{agent="coder",tool="read_file"} 2',
    ],
  });
  expect(families.get('troupe_errors_total')?.samples).toEqual(['troupe_errors_total{code="X",class="server"} 3']);
  expect(families.get('troupe_cost_usd_total')?.samples).toEqual(['troupe_cost_usd_total 0.25']);
});

test('[PH8] no name can end a value or a line', () => {
  const families = parse(prometheusText(NAMED('a"b\\c\n# TYPE x counter\nx 1 \ud800')));
  expect(families.get('troupe_tool_calls_total')?.samples[0]).toBe(
    'troupe_tool_calls_total{agent="a\\"b\\\\c\\n# TYPE x counter\\nx 1 \ufffd",tool="read_file",status="ok"} 1',
  );
});
