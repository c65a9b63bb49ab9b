import { expect, test } from 'vitest';
import { NO_USAGE } from '../../core/usage.ts';
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
  kind: 'run.settled',
  run: 'r1',
  status: 'waiting',
  outcome: 'blocked',
  output: null,
  usage: NO_USAGE,
  costUsd: 0,
  failure: null,
  question: questions[0] ?? null,
  ...(questions.length > 1 ? { questions } : {}),
  folder: null,
});

test('[L10] every open question is told with a command that can be copied as it is', () => {
  const line = waiting([question('q1', ['yes', 'no']), question('t3/q1')]);
  expect(nextStep(line)).toBe(
    [
      'The run waits for 2 answers.',
      'q1: May q1?',
      '  answer q1: troupe answer r1 q1 yes   # or: no',
      't3/q1: May t3/q1?',
      '  answer t3/q1: troupe answer r1 t3/q1 TEXT',
    ].join('\n'),
  );
  expect(nextStep(line, { hasTold: () => true })).not.toContain('May');
});

test('[L10] the only question is told with its choices, by its short name', () => {
  expect(nextStep(waiting([question('q2', ['yes', 'no'])]), { hasTold: () => true })).toBe(
    'The run waits for an answer.\n  choices: yes, no\n  answer: troupe answer r1 q2 TEXT',
  );
});
