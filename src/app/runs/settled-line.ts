import { LIMIT_CODES } from '../../core/limits.ts';
import type { Failure, Outcome } from '../../core/outcome.ts';
import type { RunRest } from '../../host/port.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import { limitOf } from '../../protocol/limit-of.ts';
import { restKind, type SettledLine } from '../../protocol/run-line.ts';

/** How a run is told at its end, or where it can only go on when a person acts. */
export function settledLine(rest: RunRest, folder: string | null): SettledLine {
  const question = rest.questions.find((one) => one.kind === wantedKind(rest)) ?? rest.questions[0] ?? null;
  return {
    kind: restKind(rest.status),
    run: rest.run,
    status: rest.status,
    outcome: rest.outcome ?? restingOutcome(rest),
    result: rest.result,
    output: rest.output,
    usage: rest.usage,
    costUsd: rest.costUsd,
    failure: rest.failure ?? limitFailureOf(question),
    question,
    ...severalOf(rest.questions),
    folder,
  };
}

/** Left out where `question` says it all. */
export const severalOf = (questions: readonly QuestionView[]): Pick<SettledLine, 'questions'> =>
  questions.length > 1 ? { questions } : {};

const wantedKind = (rest: RunRest): QuestionView['kind'] => (rest.status === 'paused' ? 'limit' : 'ask');

/** A run that waits, or that a person paused, is left blocked; one that met a limit is left for want of quota. */
const restingOutcome = (rest: RunRest): Outcome => (rest.status === 'paused' && !isHeld(rest) ? 'quota' : 'blocked');

/** A person paused it, and no limit holds it as well. */
export const isHeld = ({ status, questions }: Resting): boolean =>
  status === 'paused' && !questions.some(({ kind }) => kind === 'limit');

interface Resting {
  readonly status: string;
  readonly questions: readonly Pick<QuestionView, 'kind'>[];
}

function limitFailureOf(question: QuestionView | null): Failure | null {
  const limit = limitOf(question);
  if (limit === null || question === null) return null;
  return { code: LIMIT_CODES[limit], message: question.text, class: 'limit' };
}
