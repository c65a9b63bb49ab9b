import { describe, expect, test } from 'vitest';
import { readAnswer } from './check-answer.ts';
import type { Json } from '../model/json.ts';

/** Answers that no surface may accept as yes. */
const AMBIGUOUS: readonly Json[] = [
  ...' |\n|yes but not the tests|ok I guess|sure|yess|ye|yes no|yes, no|yes/no|ship stop|s|sh|cont|stop?|not yes|"yes"'.split(
    '|',
  ),
  ...'yes.|approved|true|\u0079\u200bes|1|ｙｅｓ'.split('|'),
  '',
  1,
  0,
  true,
  false,
  null,
  ['yes'],
  { answer: 'yes' },
  { yes: true },
];

describe('an answer to a question of a workflow', () => {
  const question = { kind: 'ask', choices: ['Yes, merge', 'No', '3'] } as const;

  test.for<[Json, string]>([
    ['Yes, merge', 'Yes, merge'],
    ['  yes, MERGE \n', 'Yes, merge'],
    ['no', 'No'],
    ['3', '3'],
    [3, '3'],
  ])('[Q3] %j is the choice %j as it was written', ([given, chosen]) => {
    expect(readAnswer(question, given)).toEqual({ ok: true, answer: chosen });
  });

  test.for<Json>(['maybe', 'yes', '', null, true, 4, ['No'], { answer: 'No' }])(
    '[L3] %j is none of the choices and is refused with their names',
    (given) => {
      expect(readAnswer(question, given)).toEqual({
        ok: false,
        message: `The answer must be one of "Yes, merge", "No", "3"; it is ${JSON.stringify(given)}.`,
      });
    },
  );

  test('[Q3] of choices that differ only in case the one written exactly so is taken', () => {
    expect(readAnswer({ kind: 'ask', choices: ['a', 'A'] }, 'A')).toEqual({ ok: true, answer: 'A' });
  });

  test.for<[string, string]>([
    ['y', 'Yes'],
    [' N ', 'no'],
  ])('[V3] %j is the documented short form of %j', ([given, chosen]) => {
    expect(readAnswer({ kind: 'ask', choices: ['Yes', 'no'] }, given)).toEqual({ ok: true, answer: chosen });
  });

  test('[V3] a text that fits two choices which differ only in case is refused', () => {
    expect(readAnswer({ kind: 'ask', choices: ['Ship', 'ship'] }, 'SHIP').ok).toBe(false);
    expect(readAnswer({ kind: 'ask', choices: ['Yes', 'yes'] }, 'y').ok).toBe(false);
  });

  test.for(AMBIGUOUS)('[V3] %j is never taken for one of the choices', (given) => {
    const asks = [
      { kind: 'ask', choices: ['yes', 'no'] },
      { kind: 'ask', choices: ['ship', 'ship later', 'stop'] },
      { kind: 'permission', choices: ['yes', 'no', 'always'] },
      { kind: 'limit', choices: ['continue', 'stop'] },
    ] as const;
    expect(asks.filter((ask) => readAnswer(ask, given, 50).ok)).toEqual([]);
  });

  test.for<Json>(['anything', '', null, 7, { kind: 'say', text: 'Hi.' }])(
    '[Q3] without choices %j is an answer, unchanged',
    (given) => {
      expect(readAnswer({ kind: 'ask', choices: [] }, given)).toEqual({ ok: true, answer: given });
    },
  );

  test('[L3] a long answer is quoted by its beginning', () => {
    const refused = readAnswer(question, 'x'.repeat(1000));
    expect(refused.ok ? '' : refused.message.length).toBeLessThan(200);
  });
});

describe('an answer to a limit', () => {
  const question = { kind: 'limit', choices: ['continue', 'stop'] } as const;

  test.for<[Json, Json]>([
    ['continue', 'continue'],
    [' Continue ', 'continue'],
    ['yes', 'continue'],
    ['Y', 'continue'],
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['no', 'stop'],
    ['n', 'stop'],
    ['cancel', 'stop'],
    [60, 60],
    ['60', 60],
    [' 50.5 ', 50.5],
  ])('[L10] %j is read as %j', ([given, answer]) => {
    expect(readAnswer(question, given, 50)).toEqual({ ok: true, answer });
  });

  test.for<Json>(['go on', 'stopp', '', '  ', null, true, 50, '50', 0, -1, '1e999', 'NaN', ['stop'], { stop: true }])(
    '[L10] %j is refused with what would be taken',
    (given) => {
      expect(readAnswer(question, given, 50)).toEqual({
        ok: false,
        message: `A limit is answered with "continue", "stop" or a number above 50; this is ${JSON.stringify(given)}.`,
      });
    },
  );

  test('[L10] where the limit so far is not known, any number above zero is one', () => {
    expect(readAnswer(question, '1')).toEqual({ ok: true, answer: 1 });
    expect(readAnswer(question, '0').ok).toBe(false);
  });
});
