import { describe, expect, test } from 'vitest';
import { givenInputs } from './given-inputs.ts';
import { type EndedPhase, type EndedPhases, judgePhases } from './judge-phases.ts';

const phase = (id: string, more: Partial<EndedPhase> = {}): EndedPhase => ({
  id,
  outcome: 'ok',
  output: {
    output: { report: `${id}.json` },
    artifacts: [{ id, path: `${id}.json`, hash: '1', type: 'report' }],
  },
  reason: null,
  ...more,
});

const ended = (units: readonly EndedPhase[], more: Partial<EndedPhases> = {}): EndedPhases => ({
  units,
  failure: 'Not all phases came out ok.',
  optional: [],
  way: null,
  ...more,
});

const failed = (id: string): EndedPhase => phase(id, { outcome: 'failed', output: null, reason: 'It broke.' });

describe('[PH6] what all phases together come to', () => {
  test('all well: their outputs and the paths of all artifacts, each once', () => {
    expect(judgePhases(ended([phase('a'), phase('a')], { failure: null }))).toEqual({
      go: 'done',
      problem: null,
      output: { phases: { a: { outcome: 'ok', output: { report: 'a.json' }, reason: null } }, artifacts: ['a.json'] },
    });
  });

  test('one that failed fails the run, in its own words where it names itself', () => {
    expect(judgePhases(ended([phase('a'), failed('b')]))).toMatchObject({
      go: 'failed',
      problem: { code: 'PHASE_FAILED', message: 'The phase b came out failed: It broke.' },
    });
    const named = { ...failed('b'), reason: 'Phase "b" did not deliver.' };
    expect(judgePhases(ended([named])).problem?.message).toBe('Phase "b" did not deliver.');
  });

  test('an optional one that failed, or one that is partial, leaves the run partial', () => {
    expect(judgePhases(ended([failed('b')], { optional: ['b'] }))).toMatchObject({
      go: 'partial',
      problem: { code: 'PHASE_PARTIAL' },
    });
    const partial = phase('b', { outcome: 'partial', reason: 'Rounds used up.' });
    expect(judgePhases(ended([partial])).go).toBe('partial');
  });

  test('a skipped phase is not reported as the cause', () => {
    const skipped = phase('a', { outcome: 'skipped', output: null, reason: 'b failed' });
    expect(judgePhases(ended([skipped, failed('b')])).problem?.message).toContain('The phase b');
    expect(judgePhases(ended([skipped])).problem?.message).toBe('Not all phases came out ok.');
  });

  test('[PH2] what a simple task was found to be is in the result', () => {
    expect(judgePhases(ended([], { failure: null, way: { isSimple: true } })).output).toMatchObject({
      way: { isSimple: true },
    });
  });
});

describe('[PH1] the inputs that templates read', () => {
  test('what is given, else its default, else null', () => {
    const declared = { names: ['a', 'b', 'c'], defaults: { a: 1, b: 2 } };
    expect(givenInputs({ a: 0, other: 1 }, declared)).toEqual({ a: 0, b: 2, c: null, feature_name: 'feature' });
  });

  test('a feature is named after the request, unless it has a name', () => {
    const declared = { names: ['user_request', 'feature_name'], defaults: {} };
    const nameOf = (data: object): unknown => givenInputs({ ...data }, declared)['feature_name'];
    expect(nameOf({ user_request: ' Add a "Login" page! ' })).toBe('add_a_login_page');
    expect(nameOf({ user_request: `${'a'.repeat(39)} b` })).toBe('a'.repeat(39));
    expect(nameOf({ user_request: 'x', feature_name: 'mine' })).toBe('mine');
  });
});
