import type { Outcome } from '../../core/outcome.ts';
import type { ResultState } from '../../core/result-state.ts';
import type { CostUsd, Usage } from '../../core/usage.ts';

/** What `metrics --json` prints (PH8). Fields are added, never renamed; durations are in milliseconds. */
export interface MetricsView {
  readonly kind: 'metrics';
  /** Runs that began since then; null: all of them. */
  readonly since: number | null;
  readonly until: number;
  /** Newest first. */
  readonly runs: readonly RunFigures[];
  /** Runs whose journal could not be read: nothing of them is counted. */
  readonly unreadable: readonly string[];
  readonly outcomes: OutcomeCounts;
  /** Of the runs that are settled, how many came out ok, and how many failed, crashed or met a timeout; null: none is settled. */
  readonly successRate: number | null;
  readonly errorRate: number | null;
  /** Of the runs that are settled. */
  readonly durationMs: DurationFigures;
  readonly phases: readonly PhaseFigures[];
  readonly days: readonly DayFigures[];
  /** Agents that took a turn, each once in each run it took part in. */
  readonly agentsSpawned: number;
  /** Sub-agents that clients started by themselves. */
  readonly minions: number;
  readonly artifacts: { readonly total: number; readonly byType: Readonly<Record<string, number>> };
  readonly tasks: WorkFigures;
  readonly agents: readonly AgentFigures[];
  readonly tools: readonly ToolFigures[];
  readonly models: readonly ModelFigures[];
  readonly errors: readonly ErrorFigures[];
  readonly usage: Usage;
  /** Null: at least one call had no known price. */
  readonly costUsd: CostUsd;
  /** What is known of it. */
  readonly knownCostUsd: number;
}

export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

export interface RunFigures {
  readonly run: string;
  readonly workflow: string;
  readonly title: string;
  readonly project: string;
  readonly status: 'running' | 'waiting' | 'paused' | 'settled';
  readonly outcome: Outcome | null;
  /** Where its result is; absent while it goes on, and where there is none. */
  readonly result?: ResultState;
  /** A live process drives the run now. */
  readonly driven: boolean;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Time at work; until now where a process drives it. */
  readonly durationMs: number;
  /** How long a person was waited for, and how long it stood still or had no process. */
  readonly waitedMs: number;
  readonly pausedMs: number;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
}

export interface DurationFigures {
  readonly total: number;
  readonly average: number | null;
  readonly longest: number | null;
}

/** Something that was done several times, and how it came out. */
export interface WorkFigures {
  readonly count: number;
  readonly outcomes: OutcomeCounts;
  readonly durationMs: DurationFigures;
}

/** A state of a workflow, or a unit of a pool in one; of runs that people started, not of those below them. */
export interface PhaseFigures extends WorkFigures {
  readonly workflow: string;
  readonly phase: string;
  /** The state whose unit it is. */
  readonly within: string | null;
  /** Of the runs below it too. States add up to the total; units are part of their state. */
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly knownCostUsd: number;
}

/** What was spent on a day, in UTC. */
export interface DayFigures {
  readonly day: string;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly knownCostUsd: number;
}

export interface AgentFigures {
  readonly agent: string;
  readonly turns: WorkFigures;
  readonly calls: CallFigures;
  readonly tools: UseFigures;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly knownCostUsd: number;
}

export interface CallFigures {
  readonly answered: number;
  readonly failed: number;
}

export interface UseFigures {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  /** The engine or a person did not let it happen. */
  readonly refused: number;
  readonly successRate: number | null;
}

export interface ToolFigures extends UseFigures {
  readonly tool: string;
  readonly agent: string;
  readonly durationMs: DurationFigures;
}

export interface ModelFigures {
  readonly model: string;
  readonly calls: number;
  readonly durationMs: DurationFigures;
  readonly usage: Usage;
  readonly costUsd: CostUsd;
  readonly knownCostUsd: number;
}

export interface ErrorFigures {
  readonly code: string;
  readonly class: string;
  readonly count: number;
}
