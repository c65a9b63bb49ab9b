import type { JsonObject } from '../../../../core/model/json.ts';
import type { QuestTable, SignalRoute } from '../quest-table.ts';
import type { HandedCall } from '../signal-said.ts';
import type { StepTask } from '../step-state.ts';

const next: SignalRoute = { to: 'next' };
const ask: SignalRoute = { to: 'ask', tries: 2, failure: 'TOO_MANY_QUESTIONS' };
const go_on: SignalRoute = { to: 'continue', tries: 2, failure: 'NEVER_DONE' };
const called: SignalRoute = { to: 'followup', tries: 2, failure: 'TOO_MANY_FOLLOWUPS' };

const ALL = { complete: next, 'partially-complete': go_on, 'needs-user-input': ask, 'needs-role-followup': called };

/** Small roles with short names, so that a test shows which rule it is about. */
export const SAMPLE_TABLE: QuestTable = {
  quest: {
    asker: {
      does: 'requirements',
      order: 'Hand in the requirements.',
      routes: { complete: next, 'needs-user-input': ask },
    },
    planner: { does: 'plan', order: 'Hand in the plan.', routes: ALL },
    judge: {
      does: 'review',
      order: 'Review it.',
      routes: { complete: next, 'needs-role-followup': { to: 'followup', tries: 1, then: 'next' } },
    },
  },
  step: {
    maker: { does: 'implement', order: '', routes: ALL },
    tester: { does: 'test', order: 'Test it.', routes: ALL },
    fixer: { does: 'fix', order: 'Fix it.', routes: ALL },
    planner: { does: 'split', order: '', routes: ALL },
    writer: { does: 'help', order: 'Write it down.', routes: { complete: next } },
  },
  limits: {
    steps: 3,
    parts: 2,
    splits: 1,
    corrections: 1,
    followups: 2,
    fixes: 1,
    whole_fixes: 1,
    conflicts: 1,
  },
};

export const signal = (name: string, says: JsonObject = {}): readonly HandedCall[] => [
  { name: 'signal_back', arguments: { signal: name, ...says } },
];

export const planned = (...steps: readonly JsonObject[]): readonly HandedCall[] => [
  { name: 'plan_steps', arguments: { steps } },
];

export const handed = (calls: readonly HandedCall[]) => ({ kind: 'handed', calls }) as const;

export const GREEN_CHECK = { outcome: 'ok', output: { output: 'fine', exitCode: 0 }, failure: null } as const;

export const RED_CHECK = {
  outcome: 'failed',
  output: { output: 'two left\n', exitCode: 1 },
  failure: { code: 'COMMAND_FAILED', message: 'It ended with exit code 1.' },
} as const;

/** Plays events one after the other, and gives back where each led and how it stands at the end. */
export function played<State, Event>(
  events: readonly Event[],
  first: State,
  decide: (state: State, event: Event) => { readonly state: State; readonly orders: { readonly go: string } },
): { readonly path: readonly string[]; readonly state: State } {
  const path: string[] = [];
  let state = first;
  for (const event of events) {
    const decision = decide(state, event);
    state = decision.state;
    path.push(decision.orders.go);
  }
  return { path, state };
}

export const SAMPLE_STEP: StepTask = {
  step: {
    id: 'one',
    title: 'Do one',
    files: ['one.txt'],
    after: [],
    acceptance: ['it is there'],
    checks: ['cat one.txt'],
    context: '',
  },
  ward: [],
  quest: { request: 'A greeter', requirements: [], contexts: [], observables: [], steps: ['one: Do one'], before: [] },
};
