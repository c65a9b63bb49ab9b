import { z } from 'zod';
import { agentViewSchema } from '../operations/answers/agent.ts';
import { jsonObject, outcome, list, type Wire } from '../operations/parts.ts';

/** `failed`: it did not come out ok and its files are kept; `failed_final`: they were put back. */
const workflowStatusSchema = z.enum(['pending', 'running', 'success', 'failed', 'rollback', 'failed_final']);

/** A unit of a pool, or a state in which something was done. */
const phaseStateSchema = z.object({
  phase: z.string(),
  state: z.string().describe('The state it belongs to'),
  status: z.enum(['pending', 'running', 'ended']),
  outcome: outcome.nullable(),
  reason: z.string().nullable().describe('Why it did not come out ok'),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  duration: z.number().nullable().describe('Seconds it was worked on, all times together; null before the first end'),
  times: z.number().describe('How often it was begun, rounds of a loop included'),
  record: z
    .number()
    .nullable()
    .describe('The record of the run at which it was begun last, as `fork --at` takes it; null before'),
  outputs: list(z.string()).describe('Paths of what it made'),
  run: z.string().nullable().describe('The run that does it, where it is one'),
});

/** A run in the document's terms (PH5): its fields by its names, then Troupe's additions. Times are ISO 8601, UTC. */
export const workflowStateSchema = z.object({
  workflow_id: z.string(),
  status: workflowStatusSchema,
  current_phase: z.string().nullable().describe('The first of those under way; null when the run is over'),
  current_phases: list(z.string()),
  phases_completed: list(z.string()).describe('Those that came out ok, in the order in which they did'),
  artifacts_created: list(z.string()).describe('Ids, as `troupe artifacts` takes them'),
  agents_spawned: list(z.string()).describe('`agent_id` of each, in the order in which they began'),
  started_at: z.string(),
  completed_at: z.string().nullable(),
  metadata: jsonObject,
  phases: list(phaseStateSchema),
  history: list(z.object({ status: workflowStatusSchema, at: z.string() })).describe(
    'Every status it had, oldest first',
  ),
});

/** `idle`: it has not begun, waits for a person or a quota, or was put back. */
const agentStatusSchema = z.enum(['idle', 'running', 'success', 'error']);

/** An agent in the words of the document. */
const agentStateSchema = z.object({
  agent_id: z.string().describe('Its name; the second of that name in another run of the tree is `name#2`'),
  agent_type: z.string().describe('Its role'),
  status: agentStatusSchema,
  current_task: z.string().nullable().describe('As `logs --task` takes it; null while it does nothing'),
  artifacts_produced: list(z.string()),
  tools_used: list(z.string()),
  started_at: z.string().nullable().describe('Null for one that was not needed yet'),
  duration: z.number().nullable().describe('Seconds of its turns; null while one is under way and before the first'),
  metadata: jsonObject,
  progress: z.number().nullable().describe('What it said itself, from 0 to 1; null when it said nothing'),
  progress_message: z.string().nullable(),
  agent: z.string().describe('Its name in its workflow'),
});

export type WorkflowState = Wire<typeof workflowStateSchema>;
export type WorkflowStatus = Wire<typeof workflowStatusSchema>;
export type PhaseState = Wire<typeof phaseStateSchema>;
export type AgentState = Wire<typeof agentStateSchema>;

const program = agentViewSchema.shape;

/** An agent in `show --json`; an agent that is a separate program also has the program's fields. */
export const shownAgentSchema = z.object({
  ...agentStateSchema.shape,
  actor: program.actor.exactOptional(),
  session: program.session.exactOptional(),
  turns: program.turns.exactOptional(),
  tools: program.tools.exactOptional(),
  denials: program.denials.exactOptional(),
  retries: program.retries.exactOptional(),
  minions: program.minions.exactOptional(),
  waitsUntil: program.waitsUntil,
});
export type ShownAgent = Wire<typeof shownAgentSchema>;
