import { NO_RESULT } from '../../core/look/result-state.ts';
import { expect, test } from 'vitest';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { nextStep } from './next-step.ts';

const question = (name: string, choices: readonly string[] = []): QuestionView => ({
  id: `permit/t1/${name}`,
  name,
  run: 'r1',
  kind: 'permission',
  text: `May ${name}?`,
  choices,
  state: 'start',
  at: 1,
});

const waiting = (questions: readonly QuestionView[]): SettledLine => ({
  kind: 'run.waiting',
  run: 'r1',
  status: 'waiting',
  outcome: 'blocked',
  result: NO_RESULT,
  output: null,
  usage: NO_USAGE,
  costUsd: 0,
  failure: null,
  question: questions[0] ?? null,
  ...(questions.length > 1 ? { questions } : {}),
  folder: null,
});

test('[L10] every open question is shown with a command that can be copied as it is', () => {
  const line = waiting([question('q1', ['yes', 'no']), question('t3/q1')]);
  expect(nextStep(line)).toBe(
    [
      'The run waits for 2 answers.',
      'q1: May q1?',
      '  answer q1: troupe answer r1 q1 yes   # or: no',
      't3/q1: May t3/q1?',
      '  answer t3/q1: troupe answer r1 t3/q1 TEXT',
      '  look:   troupe show r1',
      '  or end: troupe cancel r1',
    ].join('\n'),
  );
  expect(nextStep(line, { hasShown: () => true })).not.toContain('May');
});

test('[L10] a limit is shown with the possible answers', () => {
  const limit = { ...question('q1', ['continue', 'stop']), id: 'limit/tokens/7', kind: 'limit' as const };
  expect(nextStep({ ...waiting([limit]), status: 'paused', outcome: 'quota' })).toBe(
    [
      'May q1?',
      '  continue: troupe resume r1 --max-tokens N',
      '  or end:   troupe cancel r1',
      '  answer: troupe answer r1 q1 continue   # or: stop, a higher limit',
    ].join('\n'),
  );
});

test('[Q5] a run that is paused until something is fixed says what by its code, and what to do', () => {
  const failure = { code: 'LOGIN_NEEDED', message: 'No user is logged in.', class: 'auth', hint: 'Log in.' } as const;
  expect(nextStep({ ...waiting([]), status: 'paused', failure })).toBe(
    'The run is paused, LOGIN_NEEDED: No user is logged in.\nhint: Log in.',
  );
});

test('[L10] the only question is shown with its choices, by its short name', () => {
  expect(nextStep(waiting([question('q2', ['yes', 'no'])]), { hasShown: () => true })).toBe(
    [
      'The run waits for an answer.',
      '  answer: troupe answer r1 q2 yes   # or: no',
      '  look:   troupe show r1',
      '  or end: troupe cancel r1',
    ].join('\n'),
  );
});

test('[L10] a hint names the run that it is about', () => {
  const hint = 'See: troupe compare RUN. Take it: troupe deliver RUN --agent a';
  const failure = { code: 'INTERNAL', message: 'x', class: 'logic', hint } as const;
  expect(nextStep({ ...waiting([]), status: 'settled', outcome: 'partial', failure })).toBe(
    'hint: See: troupe compare r1. Take it: troupe deliver r1 --agent a',
  );
});
