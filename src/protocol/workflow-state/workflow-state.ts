import type { JsonObject } from '../../core/json.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { AgentView } from '../agent-view.ts';

/** A run in the words of the document (PH5): its fields with its names, then what else there is to tell. Times are ISO 8601, UTC. */
export interface WorkflowState {
  readonly workflow_id: string;
  readonly status: WorkflowStatus;
  /** The first of those under way; null when the run is over. */
  readonly current_phase: string | null;
  readonly current_phases: readonly string[];
  /** Those that came out ok, in the order in which they did. */
  readonly phases_completed: readonly string[];
  /** Ids, as `troupe artifacts` takes them. */
  readonly artifacts_created: readonly string[];
  /** `agent_id` of each, in the order in which they began. */
  readonly agents_spawned: readonly string[];
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly metadata: JsonObject;
  readonly phases: readonly PhaseState[];
  /** Every status it had, oldest first. */
  readonly history: readonly { readonly status: WorkflowStatus; readonly at: string }[];
}

/** `failed`: it did not come out ok and its files are kept; `failed_final`: they were put back. */
export type WorkflowStatus = 'pending' | 'running' | 'success' | 'failed' | 'rollback' | 'failed_final';

/** A unit of a pool, or a state in which something was done. */
export interface PhaseState {
  readonly phase: string;
  /** The state it belongs to. */
  readonly state: string;
  readonly status: 'pending' | 'running' | 'ended';
  readonly outcome: Outcome | null;
  /** Why it did not come out ok. */
  readonly reason: string | null;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  /** Seconds it was worked on, all times together; null before the first end. */
  readonly duration: number | null;
  /** How often it was begun, rounds of a loop included. */
  readonly times: number;
  /** The record of the run at which it was begun last, as `fork --at` takes it; null before. */
  readonly record: number | null;
  /** Paths of what it made. */
  readonly outputs: readonly string[];
  /** The run that does it, where it is one. */
  readonly run: string | null;
}

/** An agent in the words of the document. */
export interface AgentState {
  /** Its name; the second of that name in another run of the tree is `name#2`. */
  readonly agent_id: string;
  /** Its role. */
  readonly agent_type: string;
  readonly status: AgentStatus;
  /** As `logs --task` takes it; null while it does nothing. */
  readonly current_task: string | null;
  readonly artifacts_produced: readonly string[];
  readonly tools_used: readonly string[];
  /** Null for one that was not needed yet. */
  readonly started_at: string | null;
  /** Seconds of its turns; null while one is under way and before the first. */
  readonly duration: number | null;
  readonly metadata: JsonObject;
  /** What it said itself, from 0 to 1; null when it said nothing. */
  readonly progress: number | null;
  readonly progress_message: string | null;
  /** Its name in its workflow. */
  readonly agent: string;
}

/** `idle`: it has not begun, waits for a person or a quota, or was put back. */
export type AgentStatus = 'idle' | 'running' | 'success' | 'error';

/** What `show --json` tells of an agent; one that is a program of its own has the fields of that too. */
export type ShownAgent = AgentState & Partial<Omit<AgentView, 'agent'>>;
