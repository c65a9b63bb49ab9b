import type { Failure } from '../../core/outcome.ts';
import { Durations, entry, Spending, Uses, Works } from './counters.ts';

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
    const key = [name.workflow, name.within ?? '', name.phase].join('\n');
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
    const tally = entry(this.tools, `${agent}\n${tool}`, () => ({
      agent,
      tool,
      uses: new Uses(),
      durations: new Durations(),
    }));
    tally.uses.add(how);
    tally.durations.add(ms);
  }

  model(name: string): ModelTally {
    return entry(this.models, name, () => ({ durations: new Durations(), spending: new Spending(), calls: 0 }));
  }

  error(failure: Failure): void {
    entry(this.errors, failure.code, () => ({ class: failure.class, count: 0 })).count += 1;
  }

  artifact(type: string): void {
    this.artifacts.set(type, (this.artifacts.get(type) ?? 0) + 1);
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
