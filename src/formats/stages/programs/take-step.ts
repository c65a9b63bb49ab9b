import { Fault } from '../../../core/model/fault.ts';
import type { TaskId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { stageState, STATES, steppingIn } from '../parse/stage-plan.ts';
import type { ProgramAnswer } from '../../../host/world.ts';
import {
  type AgentMessage,
  decide,
  type Decision,
  type Delivery,
  getStageDefinition,
  type StageEvent,
  type StageQuestion,
  taskText,
  type Workflow,
  type WorkflowError,
} from '../stages.ts';
import {
  heardEvents,
  type HeardUnit,
  type RouteInput,
  type StageItem,
  type StageStep,
  type StageStepInput,
} from './stage-step.ts';
import type { BusSent } from '../../../core/record/artifact-fact.ts';

/** One decision, and the execution of a stage that it is about. */
export interface BusOccasion {
  readonly run: string;
  readonly task: TaskId;
  readonly execution: string;
}

/** The messages on the bus, and the errors for the user. */
function busNotes({ orders: { sent }, notes }: Decision, { run, task, execution }: BusOccasion): readonly BusSent[] {
  const correlationId = `${run}/${execution}`;
  const messages = withoutPassedOn(sent).map((message): BusSent => {
    const { id, type, from, to, priority, content } = message;
    const payload = { priority, ...content } as unknown as Json;
    return { kind: 'bus.sent', task, message: { id, type, sender: from, receiver: to, payload, correlationId } };
  });
  const errors = notes.map(({ stage, agent, code, message, recoverable }, at): BusSent => {
    const payload = {
      error_type: code,
      message,
      stage,
      can_retry: recoverable,
      ...(agent === undefined ? {} : { agent }),
    };
    const id = `${run}/${task}/error-${at + 1}`;
    return {
      kind: 'bus.sent',
      task,
      message: { id, type: 'error', sender: 'orchestrator', receiver: 'person', payload, correlationId },
    };
  });
  return [...messages, ...errors];
}

/** A reply that was passed on is listed with its receiver only. */
function withoutPassedOn(sent: readonly AgentMessage[]): readonly AgentMessage[] {
  return sent.filter(
    (message, at) =>
      message.to !== 'orchestrator' || !sent.some((other, later) => later > at && other.id === message.id),
  );
}

/** The run and its clocks when the program is asked. */
export interface StepMoment {
  readonly run: string;
  readonly task: TaskId;
  readonly now: number;
  readonly workedMs: number;
}

export interface TakenStep {
  readonly answer: ProgramAnswer;
  /** Errors to report to the user. */
  readonly noted: readonly WorkflowError[];
}

/** One visit of `route`: every event since the last one goes to the workflow, once, and what it decided is the way on. */
export function takeStep(given: Workflow, input: StageStepInput, moment: StepMoment): TakenStep {
  const workflow = withFallbacks(given, input);
  const left = leftMs(workflow, moment);
  const decided = decideAll(workflow, { input, moment, isOver: left !== null && left <= 0 });
  const last = decided.at(-1)?.decision;
  if (last === undefined) {
    throw new Fault('INTERNAL', `${workflow.definition.name} came back to its routing with nothing heard.`, {
      hint: 'This is a defect of Troupe. Please report it with the workflow.',
    });
  }
  const { run, task } = moment;
  const items = decided.flatMap(({ decision }) => itemsOf(workflow, decision));
  const { go, ...way } = wayOn(workflow, last, items);
  const step: StageStep = { ...way, leftMs: left, since: sinceOf(input), state: last.state };
  return {
    answer: {
      output: { go },
      kept: step as unknown as Json,
      facts: decided.flatMap(({ decision, execution }) => busNotes(decision, { run, task, execution })),
    },
    noted: decided.flatMap(({ decision }) => decision.notes),
  };
}

/** Adds the roles' fallbacks to those of the stages. */
function withFallbacks(workflow: Workflow, { fallback }: RouteInput): Workflow {
  if (Object.keys(fallback).length === 0) return workflow;
  const { definition } = workflow;
  const stages = definition.stages.map((stage) => {
    const players = [...steppingIn(fallback, stage)];
    return players.length === 0 ? stage : { ...stage, fallback: players };
  });
  // The author's functions may use other members of their object through `this`.
  return Object.assign(Object.create(workflow) as Workflow, { definition: { ...definition, stages } });
}

/** Stages that ran side by side know what they began with: those that failed may be tried again. */
function sinceOf({ step, heard }: StageStepInput): StageStep['since'] {
  const known = step?.since ?? {};
  const together = heard.filter(({ id }) => id !== undefined);
  if (step === null || together.length === 0) return known;
  return { ...known, ...Object.fromEntries(step.items.map(({ id, stage }) => [stage, sinceIn(together, id, stage)])) };
}

function sinceIn(heard: readonly HeardUnit[], id: string, stage: string): Json {
  const output = heard.find((unit) => unit.id === id)?.output ?? null;
  const since = isJsonObject(output) ? output['since'] : undefined;
  return isJsonObject(since) ? (since[stage] ?? null) : null;
}

/** The rest of `maxDuration`; null without one. */
function leftMs({ definition }: Workflow, { workedMs }: StepMoment): number | null {
  const { maxDuration } = definition.config;
  return maxDuration === undefined ? null : maxDuration - workedMs;
}

interface Decided {
  readonly decision: Decision;
  readonly execution: string;
}

interface Occasion {
  readonly input: StageStepInput;
  readonly moment: StepMoment;
  readonly isOver: boolean;
}

function decideAll(workflow: Workflow, { input, moment, isOver }: Occasion): readonly Decided[] {
  const { run, now } = moment;
  const decided: Decided[] = [];
  let state = input.step?.state ?? null;
  for (const { event, execution } of eventsOf(workflow, input, { moment, isOver })) {
    const decision = decide(workflow, { state, event, now, run });
    state = decision.state;
    decided.push({ decision, execution });
    if (decision.orders.finished !== null) break;
  }
  return decided;
}

interface Placed {
  readonly event: StageEvent;
  readonly execution: string;
}

/** A stage stopped at the end of the whole time has not failed: the run ends with its results so far. */
function eventsOf(
  { definition }: Workflow,
  { goal, step, heard }: StageStepInput,
  { moment, isOver }: { readonly moment: StepMoment; readonly isOver: boolean },
): readonly Placed[] {
  if (step === null) {
    return [{ event: { kind: 'started', goal, sessionId: moment.run }, execution: `${definition.entryStage}#1` }];
  }
  const known = heardEvents(step.items, heard, moment)
    .filter(({ isTimeout }) => !(isOver && isTimeout))
    .map(({ event, item }) => ({ event, execution: `${item.stage}#${item.iteration}` }));
  const [first] = step.items;
  const execution = first === undefined ? definition.entryStage : `${first.stage}#${first.iteration}`;
  return isOver ? [...known, { event: { kind: 'expired' }, execution }] : known;
}

function itemsOf(workflow: Workflow, { orders: { deliver, question } }: Decision): readonly StageItem[] {
  const turns = deliver.map((delivery) => turnOf(workflow, delivery));
  return question === undefined ? turns : [...turns, questionOf(question)];
}

function turnOf({ definition }: Workflow, delivery: Delivery): StageItem {
  const { stage: name, role, iteration, outputType } = delivery;
  const stage = getStageDefinition(definition, name) ?? { name, agent: role };
  const place = stageState(stage, role);
  return { id: place, place, stage: name, role, iteration, outputType, isQuestion: false, say: taskText(delivery) };
}

function questionOf({ stage, role, text, choices }: StageQuestion): StageItem {
  const offered = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
  const say = `In the stage ${stage}, ${role} asks: ${text}${offered}`;
  const place = STATES.asking;
  return { id: `${stage}?`, place, stage, role, iteration: 0, outputType: 'question', isQuestion: true, say };
}

function wayOn(
  { definition }: Workflow,
  { orders: { finished } }: Decision,
  items: readonly StageItem[],
): Pick<StageStep, 'items' | 'result' | 'failure'> & { readonly go: string } {
  if (finished !== null) {
    const { outcome, result, failure = null } = finished;
    const go = outcome === 'ok' ? STATES.done : STATES[outcome];
    return { go, items: [], result: result as unknown as Json, failure };
  }
  const [first, ...more] = items;
  if (first !== undefined) return { go: more.length === 0 ? first.place : STATES.together, items };
  const message = `${definition.name} is not at its end, and nothing is under way.`;
  return { go: STATES.failed, items, result: null, failure: { code: 'NO_NEXT_STAGE', message } };
}
