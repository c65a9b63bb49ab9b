import { NO_RESULT } from '../../../src/core/look/result-state.ts';
import { NO_USAGE } from '../../../src/core/model/usage.ts';
import { faceOf, startClock } from '../../../src/core/fold/work-clock.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';
import type { CardDetails, RunCard } from '../../../src/protocol/web/run-card.ts';

/** A card for tests: a run that goes on, but for what is said. */
export function sampleCard({
  details,
  ...card
}: Partial<Omit<RunCard, 'details'>> & { readonly details?: Partial<CardDetails> | null } = {}): RunCard {
  return {
    run: 'run-1',
    workflow: 'fix',
    title: 'Fix the login',
    project: '/home/ann/shop',
    column: 'running',
    status: 'running',
    outcome: null,
    result: NO_RESULT,
    driven: true,
    startedAt: 1000,
    updatedAt: 2000,
    endedAt: null,
    seq: 10,
    details: details === null ? null : { ...DETAILS, ...details },
    damage: null,
    ...card,
  };
}

export function sampleQuestion(name: string, more: Partial<QuestionView> = {}): QuestionView {
  return {
    id: `id-${name}`,
    name,
    run: 'run-1',
    kind: 'ask',
    text: 'Which way?',
    choices: [],
    state: 'ask',
    at: 1500,
    ...more,
  };
}

const DETAILS: CardDetails = {
  usage: NO_USAGE,
  costUsd: 0,
  clock: faceOf(startClock(1000)),
  state: 'work',
  agents: [],
  questions: [],
  failure: null,
  hints: [],
};
