import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { isCompletion, readSignal, signalProblem, signalTool } from './signal.ts';
import { SIGNALS } from './signal-name.ts';
import { call } from '../testing/tested-run.ts';

/** Each signal with all required fields. */
const FULL: Readonly<Record<(typeof SIGNALS)[number], Record<string, Json>>> = {
  complete: { summary: 'Built.' },
  'partially-complete': { progress: 'Half.', continuationPoint: 'Line 40.' },
  'needs-user-input': { question: 'Which port?', context: 'Two are free.' },
  'needs-role-followup': { targetRole: 'siegemaster', reason: 'Gaps.', context: 'No tests.', resume: false },
};

const problem = (given: Json, step: string | undefined = 's1') => signalProblem(given, { step });

describe('[Q2] the tool', () => {
  test('offers the signals that the role may send, and only the fields they need', () => {
    const { name, parameters, description } = signalTool({ signals: ['complete', 'needs-user-input'] });
    expect(name).toBe('signal_back');
    expect(parameters).toMatchObject({
      type: 'object',
      required: ['signal', 'stepId'],
      properties: { signal: { enum: ['complete', 'needs-user-input'] } },
    });
    expect(Object.keys(parameters['properties'] as object)).toEqual([
      'signal',
      'stepId',
      'summary',
      'question',
      'context',
    ]);
    expect(description).toContain('complete needs summary.');
    expect(description).not.toContain('partially-complete');
  });

  test('names the roles that may be asked for', () => {
    const signals = ['needs-role-followup'] as const;
    expect(signalTool({ signals, followups: ['pathseeker'] }).parameters).toMatchObject({
      properties: { targetRole: { type: 'string', enum: ['pathseeker'] }, resume: { type: 'boolean' } },
    });
    expect(signalTool({ signals }).parameters).not.toHaveProperty('properties.targetRole.enum');
  });

  test('is one flat object: no provider refuses it', () => {
    const { parameters } = signalTool({ signals: [...SIGNALS] });
    expect(JSON.stringify(parameters)).not.toMatch(/oneOf|anyOf|allOf|\$ref/);
  });
});

describe('[Q2] the required fields of a signal', () => {
  test.each(SIGNALS)('%s is fine with all of it', (signal) => {
    expect(problem({ signal, stepId: 's1', ...FULL[signal] })).toBeNull();
  });

  test.each(SIGNALS)('%s without one of its fields names the missing one', (signal) => {
    for (const key of Object.keys(FULL[signal])) {
      for (const empty of [undefined, null, '', '  ']) {
        const { [key]: _gone, ...rest } = FULL[signal];
        const given: Json = { signal, stepId: 's1', ...rest, ...(empty === undefined ? {} : { [key]: empty }) };
        expect(problem(given)).toBe(`${signal} also needs ${key}.`);
      }
    }
  });

  test('all missing fields are named at once', () => {
    expect(problem({ signal: 'needs-role-followup', stepId: 's1' })).toBe(
      'needs-role-followup also needs targetRole, reason, context, resume.',
    );
  });

  test('false is an answer', () => {
    expect(problem({ signal: 'needs-role-followup', stepId: 's1', ...FULL['needs-role-followup'] })).toBeNull();
  });

  test('unknown signals and things that are none', () => {
    expect(problem({ signal: 'done', stepId: 's1' })).toBe('Unknown signal "done".');
    expect(problem({ stepId: 's1' })).toContain('Unknown signal');
    expect(problem({ signal: 'toString' })).toContain('Unknown signal');
    for (const given of [null, 'complete', 42, ['complete']]) expect(problem(given)).toBe('It must be an object.');
  });

  test('a signal is only for its own step; without a step, for any', () => {
    const given = { signal: 'complete', stepId: 's2', summary: 'Built.' };
    expect(problem(given)).toBe('Your step is s1, not "s2". You can only speak for your own.');
    expect(problem({ ...given, stepId: ['s1'] })).toContain('Your step is s1');
    expect(signalProblem(given, {})).toBeNull();
  });
});

describe('[Q2] other spellings', () => {
  test('`type` is taken for `signal`', () => {
    const read = readSignal(call('p1', 'signal_back', { type: 'complete', stepId: 's1', summary: 'Built.' }));
    expect(read).toEqual(call('p1', 'signal_back', { signal: 'complete', stepId: 's1', summary: 'Built.' }));
  });

  test('with both fields, or for a different tool, nothing changes', () => {
    const both = call('p1', 'signal_back', { type: 'x', signal: 'complete' });
    const other = call('p1', 'verdict', { type: 'x' });
    const none: ReturnType<typeof call> = { id: 'p1', name: 'signal_back', arguments: 'complete' };
    for (const one of [both, other, none]) expect(readSignal(one)).toBe(one);
  });
});

test('[L4] only `complete` has to be proved', () => {
  for (const signal of SIGNALS) {
    expect(isCompletion(call('p1', 'signal_back', { signal }))).toBe(signal === 'complete');
  }
  expect(isCompletion(call('p1', 'verdict', { signal: 'complete' }))).toBe(false);
});
