import { z } from 'zod';
import { usage, costUsd, outcome, resultStateSchema, list, type Wire } from '../operations/parts.ts';

const runFiguresSchema = z.object({
  run: z.string(),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  status: z.enum(['running', 'waiting', 'paused', 'settled']),
  outcome: outcome.nullable(),
  result: resultStateSchema,
  driven: z.boolean().describe('A live process drives the run now'),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  durationMs: z.number().describe('Time at work; until now where a process drives it'),
  waitedMs: z.number().describe('How long a person was waited for, and how long it stood still or had no process'),
  pausedMs: z.number(),
  usage,
  costUsd,
});

const outcomeCountsSchema = z.partialRecord(outcome, z.number());

const durationFiguresSchema = z.object({
  total: z.number(),
  average: z.number().nullable(),
  longest: z.number().nullable(),
});

/** Repeated work and its outcomes. */
const workFiguresSchema = z.object({
  count: z.number(),
  outcomes: outcomeCountsSchema,
  durationMs: durationFiguresSchema,
});

/** A state of a workflow, or a unit of a pool in one; only for root runs. */
const phaseFiguresSchema = z.object({
  ...workFiguresSchema.shape,
  workflow: z.string(),
  phase: z.string(),
  within: z.string().nullable().describe('The state whose unit it is'),
  usage: usage.describe('Of the runs below it too. States add up to the total; units are part of their state.'),
  costUsd,
  knownCostUsd: z.number(),
});

/** Spending per day, in UTC. */
const dayFiguresSchema = z.object({ day: z.string(), usage, costUsd, knownCostUsd: z.number() });

const callFiguresSchema = z.object({ answered: z.number(), failed: z.number() });

const useFiguresSchema = z.object({
  calls: z.number(),
  ok: z.number(),
  failed: z.number(),
  refused: z.number().describe('The engine or a person did not let it happen'),
  successRate: z.number().nullable(),
});

const agentFiguresSchema = z.object({
  agent: z.string(),
  turns: workFiguresSchema,
  calls: callFiguresSchema,
  tools: useFiguresSchema,
  usage,
  costUsd,
  knownCostUsd: z.number(),
});

const toolFiguresSchema = z.object({
  ...useFiguresSchema.shape,
  tool: z.string(),
  agent: z.string(),
  durationMs: durationFiguresSchema,
});

const modelFiguresSchema = z.object({
  model: z.string(),
  calls: z.number(),
  durationMs: durationFiguresSchema,
  usage,
  costUsd,
  knownCostUsd: z.number(),
});

const errorFiguresSchema = z.object({ code: z.string(), class: z.string(), count: z.number() });

/** The output of `metrics --json` (PH8). Fields are added, never renamed; durations are in milliseconds. */
export const metricsViewSchema = z.object({
  kind: z.literal('metrics'),
  since: z.number().nullable().describe('Runs that began since then; null: all of them'),
  until: z.number(),
  runs: list(runFiguresSchema).describe('Newest first'),
  unreadable: list(z.string()).describe('Runs whose journal could not be read; they are not counted'),
  outcomes: outcomeCountsSchema,
  successRate: z
    .number()
    .nullable()
    .describe(
      'Of the runs that are settled, how many came out ok, and how many failed, crashed or met a timeout; null: none is settled',
    ),
  errorRate: z.number().nullable(),
  durationMs: durationFiguresSchema.describe('Of the runs that are settled'),
  phases: list(phaseFiguresSchema),
  days: list(dayFiguresSchema),
  agentsSpawned: z.number().describe('Agents that took a turn, each once in each run it took part in'),
  minions: z.number().describe('Sub-agents that clients started by themselves'),
  artifacts: z.object({ total: z.number(), byType: z.record(z.string(), z.number()) }),
  tasks: workFiguresSchema,
  agents: list(agentFiguresSchema),
  tools: list(toolFiguresSchema),
  models: list(modelFiguresSchema),
  errors: list(errorFiguresSchema),
  usage,
  costUsd: costUsd.describe('Null: at least one call had no known price'),
  knownCostUsd: z.number().describe('What is known of it'),
});

export type MetricsView = Wire<typeof metricsViewSchema>;
export type OutcomeCounts = Wire<typeof outcomeCountsSchema>;
export type RunFigures = Wire<typeof runFiguresSchema>;
export type DurationFigures = Wire<typeof durationFiguresSchema>;
export type WorkFigures = Wire<typeof workFiguresSchema>;
export type PhaseFigures = Wire<typeof phaseFiguresSchema>;
export type UseFigures = Wire<typeof useFiguresSchema>;
