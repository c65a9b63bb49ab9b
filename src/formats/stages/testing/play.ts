import { expect } from 'vitest';
import { Fault } from '../../../core/model/fault.ts';
import type { Json } from '../../../core/model/json.ts';
import type { AgentMessage } from '../rules/agent-message.ts';
import { decideStage } from '../rules/decide.ts';
import type {
  StageDecision,
  StageDelivery,
  Finished,
  StageEvent,
  StageFailureCode,
  StageQuestion,
} from '../rules/decision.ts';
import { revive } from '../rules/keep-state.ts';
import type { StageDefinition } from '../rules/stage-definition.ts';
import type { WorkflowError, StageWorkflowState } from '../rules/workflow-state.ts';

export type Reply = Partial<Omit<AgentMessage, 'content'>> & {
  readonly fails?: StageFailureCode;
  readonly body?: string;
  readonly metadata?: Record<string, unknown>;
};

export interface Played {
  readonly deliveries: readonly StageDelivery[];
  /** The stages in the order in which they were begun, other tries included. */
  readonly stages: readonly string[];
  readonly finished: Finished | null;
  readonly noted: readonly WorkflowError[];
  readonly codes: readonly string[];
  readonly questions: readonly StageQuestion[];
  readonly decisions: readonly StageDecision[];
  readonly state: StageWorkflowState;
}

export const NOW = Date.UTC(2026, 0, 1);

/**
 * Plays a workflow with agents that answer from a script: the replies of each stage, in order. `person` answers questions. Each
 * event is decided twice, and everything goes through text, so every test is also one of determinism.
 */
export function play(
  workflow: StageDefinition,
  script: Readonly<Record<string, readonly Reply[]>>,
  goal = 'the goal',
): Played {
  const left = new Map(Object.entries(script).map(([stage, replies]) => [stage, [...replies]]));
  const decisions: StageDecision[] = [];
  const waiting: StageEvent[] = [{ kind: 'started', goal, sessionId: 'session-1' }];
  let state: Json | null = null;
  let count = 0;
  for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
    const decision = decideTwice(workflow, { state, event, now: NOW + count * 1000, run: 'r1' });
    decisions.push(decision);
    state = decision.state;
    const { finished, deliver, question } = decision.orders;
    if (finished !== null) break;
    const replyTo = (delivery: StageDelivery): StageEvent | undefined => {
      count += 1;
      return answerOf(delivery, left.get(delivery.stage)?.shift(), `reply-${count}`);
    };
    waiting.push(...deliver.flatMap((delivery) => replyTo(delivery) ?? []));
    if (question !== undefined) {
      const answer = left.get('person')?.shift()?.body;
      if (answer !== undefined) waiting.push({ kind: 'answered', stage: question.stage, answer });
    }
    if (count > 200) throw new Fault('INTERNAL', 'The play has no end.');
  }
  return playedOf(decisions);
}

/** The state as the workflow's functions see it. */
export function stateIn(decision: StageDecision): StageWorkflowState {
  return (revive(decision.state) as { state: StageWorkflowState }).state;
}

function decideTwice(workflow: StageDefinition, input: Parameters<typeof decideStage>[1]): StageDecision {
  const text = JSON.stringify(input);
  const first = decideStage(workflow, JSON.parse(text));
  const second = decideStage(workflow, JSON.parse(text));
  expect(second).toEqual(first);
  expect(JSON.parse(JSON.stringify(first))).toEqual(first);
  return first;
}

/** No reply in the script: the stage stays under way. */
function answerOf(delivery: StageDelivery, reply: Reply | undefined, id: string): StageEvent | undefined {
  const { stage, role, outputType } = delivery;
  if (reply === undefined) return undefined;
  const { fails, body = `by ${stage}`, metadata = {}, ...rest } = reply;
  if (fails !== undefined) return { kind: 'failed', stage, code: fails, message: `${stage} did not come out` };
  const message: AgentMessage = {
    id,
    timestamp: new Date(NOW).toISOString(),
    from: role,
    to: 'orchestrator',
    type: outputType,
    priority: 'normal',
    content: { subject: stage, body, metadata },
    ...rest,
  };
  return { kind: 'message', stage, from: message.from, message };
}

function playedOf(decisions: readonly StageDecision[]): Played {
  const last = decisions.at(-1);
  if (last === undefined) throw new Fault('INTERNAL', 'Nothing was played.');
  const deliveries = decisions.flatMap(({ orders }) => orders.deliver);
  const noted = decisions.flatMap((decision) => decision.notes);
  return {
    deliveries,
    stages: deliveries.map(({ stage }) => stage),
    finished: last.orders.finished,
    noted,
    codes: noted.map(({ code }) => code),
    questions: decisions.flatMap(({ orders }) => orders.question ?? []),
    decisions,
    state: stateIn(last),
  };
}
