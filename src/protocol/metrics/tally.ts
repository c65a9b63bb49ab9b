import type { Failure } from '../../core/outcome.ts';
import {
  Durations,
  entry,
  Spending,
  Uses,
  Works,
  type DurationSums,
  type SpendingSums,
  type UseSums,
  type WorkSums,
} from './counters.ts';

/** What a tally holds, as plain and short JSON. Lists are in the order in which their entries first came. */
export interface TallySums {
  readonly phases: readonly (readonly [
    workflow: string,
    phase: string,
    within: string | null,
    WorkSums,
    SpendingSums,
  ])[];
  readonly days: readonly (readonly [day: string, SpendingSums])[];
  readonly agents: readonly (readonly [
    agent: string,
    turns: WorkSums,
    UseSums,
    SpendingSums,
    answered: number,
    failed: number,
  ])[];
  readonly tools: readonly (readonly [agent: string, tool: string, UseSums, DurationSums])[];
  readonly models: readonly (readonly [model: string, calls: number, DurationSums, SpendingSums])[];
  readonly errors: readonly (readonly [code: string, kind: string, count: number])[];
  readonly artifacts: readonly (readonly [type: string, count: number])[];
  readonly tasks: WorkSums;
  readonly spawned: number;
  readonly minions: number;
}

/** What was counted, of one run or of many: runs add to it, nothing is ever taken away. */
export class Tally {
  readonly phases = new Map<string, PhaseTally>();
  readonly days = new Map<string, Spending>();
  readonly agents = new Map<string, AgentTally>();
  readonly tools = new Map<string, ToolTally>();
  readonly models = new Map<string, ModelTally>();
  readonly errors = new Map<string, { readonly class: string; count: number }>();
  readonly artifacts = new Map<string, number>();
  readonly tasks = new Works();
  spawned = 0;
  minions = 0;

  phase(name: PhaseName): PhaseTally {
    const key = `${name.workflow}\n${name.within ?? ''}\n${name.phase}`;
    return entry(this.phases, key, () => ({ name, works: new Works(), spending: new Spending() }));
  }

  /** As `2026-11-16`, in UTC. */
  day(name: string): Spending {
    return entry(this.days, name, () => new Spending());
  }

  agent(name: string): AgentTally {
    return entry(this.agents, name, () => ({
      turns: new Works(),
      uses: new Uses(),
      spending: new Spending(),
      answered: 0,
      failed: 0,
    }));
  }

  use({ agent, tool, how, ms }: ToolUse): void {
    this.agent(agent).uses.add(how);
    const tally = this.#tool(agent, tool);
    tally.uses.add(how);
    tally.durations.add(ms);
  }

  #tool(agent: string, tool: string): ToolTally {
    const make = () => ({ agent, tool, uses: new Uses(), durations: new Durations() });
    return entry(this.tools, `${agent}\n${tool}`, make);
  }

  model(name: string): ModelTally {
    return entry(this.models, name, () => ({ durations: new Durations(), spending: new Spending(), calls: 0 }));
  }

  error({ code, class: kind }: Pick<Failure, 'code'> & { readonly class: string }, count = 1): void {
    entry(this.errors, code, () => ({ class: kind, count: 0 })).count += count;
  }

  artifact(type: string, count = 1): void {
    this.artifacts.set(type, (this.artifacts.get(type) ?? 0) + count);
  }

  get sums(): TallySums {
    return {
      phases: [...this.phases.values()].map(({ name: { workflow, phase, within }, works, spending }) => {
        return [workflow, phase, within, works.sums, spending.sums];
      }),
      days: [...this.days].map(([day, spending]) => [day, spending.sums]),
      agents: [...this.agents].map(([agent, { turns, uses, spending, answered, failed }]) => {
        return [agent, turns.sums, uses.sums, spending.sums, answered, failed];
      }),
      tools: [...this.tools.values()].map(({ agent, tool, uses, durations }) => {
        return [agent, tool, uses.sums, durations.sums];
      }),
      models: [...this.models].map(([model, { calls, durations, spending }]) => {
        return [model, calls, durations.sums, spending.sums];
      }),
      errors: [...this.errors].map(([code, { class: kind, count }]) => [code, kind, count]),
      artifacts: [...this.artifacts],
      tasks: this.tasks.sums,
      spawned: this.spawned,
      minions: this.minions,
    };
  }

  take(sums: TallySums): void {
    this.#takeWork(sums);
    for (const [day, spending] of sums.days) this.day(day).take(spending);
    for (const [name, calls, durations, spending] of sums.models) {
      const model = this.model(name);
      model.calls += calls;
      model.durations.take(durations);
      model.spending.take(spending);
    }
    for (const [code, kind, count] of sums.errors) this.error({ code, class: kind }, count);
    for (const [type, count] of sums.artifacts) this.artifact(type, count);
    this.tasks.take(sums.tasks);
    this.spawned += sums.spawned;
    this.minions += sums.minions;
  }

  #takeWork({ phases, agents, tools }: TallySums): void {
    for (const [workflow, phase, within, works, spending] of phases) {
      const tally = this.phase({ workflow, phase, within });
      tally.works.take(works);
      tally.spending.take(spending);
    }
    for (const [name, turns, uses, spending, answered, failed] of agents) {
      const agent = this.agent(name);
      agent.turns.take(turns);
      agent.uses.take(uses);
      agent.spending.take(spending);
      agent.answered += answered;
      agent.failed += failed;
    }
    for (const [agent, name, uses, durations] of tools) {
      const tool = this.#tool(agent, name);
      tool.uses.take(uses);
      tool.durations.take(durations);
    }
  }
}

interface PhaseTally {
  readonly name: PhaseName;
  readonly works: Works;
  readonly spending: Spending;
}

export interface PhaseName {
  readonly workflow: string;
  readonly phase: string;
  readonly within: string | null;
}

export interface ToolUse {
  readonly agent: string;
  readonly tool: string;
  readonly how: 'ok' | 'failed' | 'refused';
  readonly ms: number;
}

export interface AgentTally {
  readonly turns: Works;
  readonly uses: Uses;
  readonly spending: Spending;
  answered: number;
  failed: number;
}

interface ToolTally {
  readonly agent: string;
  readonly tool: string;
  readonly uses: Uses;
  readonly durations: Durations;
}

interface ModelTally {
  readonly durations: Durations;
  readonly spending: Spending;
  calls: number;
}
