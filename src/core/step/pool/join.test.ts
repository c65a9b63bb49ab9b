import { describe, expect, test } from 'vitest';
import { judgeJoin } from './join.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Unit } from '../../fold/snapshot.ts';
import type { Join } from '../../model/workflow.ts';

const units = (...outcomes: readonly (Outcome | null)[]): readonly Unit[] =>
  outcomes.map((outcome, index) => ({
    id: `u${index}`,
    after: [],
    item: null,
    index,
    status: outcome === null ? 'running' : 'ended',
    outcome,
    output: null,
    reason: outcome === 'failed' ? 'it broke' : null,
    grown: false,
  }));

const outcome = (join: Join, ...list: readonly (Outcome | null)[]) => judgeJoin(join, units(...list))?.outcome ?? null;

describe('while units are running', () => {
  test('[L5] only `first` is decided before every unit has ended', () => {
    for (const rule of ['all', 'any'] as const) expect(outcome({ rule }, 'ok', null)).toBeNull();
    expect(outcome({ rule: 'quorum', count: 1 }, 'ok', null)).toBeNull();
    expect(outcome({ rule: 'first' }, 'failed', null)).toBeNull();
  });

  test('[PD8] first is decided by the first ok one', () => {
    expect(judgeJoin({ rule: 'first' }, units(null, 'failed', 'ok', null))).toEqual({
      outcome: 'partial',
      winner: 'u2',
      failure: null,
    });
  });
});

describe('when all units have ended', () => {
  test('[L5] all units ok is ok by every rule', () => {
    for (const rule of ['all', 'any', 'first'] as const) expect(outcome({ rule }, 'ok', 'ok')).toBe('ok');
    expect(outcome({ rule: 'quorum', count: 2 }, 'ok', 'ok')).toBe('ok');
    expect(outcome({ rule: 'first' }, 'ok')).toBe('ok');
  });

  test('[L5] where the rule holds although units are not ok the pool is partial, never ok', () => {
    expect(outcome({ rule: 'any' }, 'failed', 'ok', 'skipped')).toBe('partial');
    expect(outcome({ rule: 'quorum', count: 2 }, 'failed', 'ok', 'ok')).toBe('partial');
    expect(outcome({ rule: 'first' }, 'failed', 'ok')).toBe('partial');
  });

  test('[L5] where the rule does not hold the pool fails and names every unit that was lost', () => {
    const verdict = judgeJoin({ rule: 'all' }, units('ok', 'failed', 'skipped'));
    expect(verdict).toMatchObject({ outcome: 'failed', failure: { code: 'JOIN_FAILED' } });
    expect(verdict?.failure?.message).toBe('1 of 3 units came out ok, 3 were needed: u1 failed (it broke); u2 skipped');
    const phases = judgeJoin({ rule: 'all' }, units('ok', 'failed', 'skipped'), 'phases');
    expect(phases?.failure?.message).toBe('1 of 3 phases came out ok: u1 failed, u2 skipped');
    expect(outcome({ rule: 'any' }, 'failed', 'failed')).toBe('failed');
    expect(outcome({ rule: 'first' }, 'failed', 'failed')).toBe('failed');
  });

  test('[PD1] a quorum that there are not enough units for is not reached, also when all are ok', () => {
    expect(outcome({ rule: 'quorum', count: 3 }, 'ok', 'ok')).toBe('failed');
  });

  test('[L5] a partial unit is not ok', () => {
    expect(outcome({ rule: 'all' }, 'ok', 'partial')).toBe('failed');
    expect(outcome({ rule: 'any' }, 'ok', 'partial')).toBe('partial');
  });

  test('[L5] quota and a cancel outweigh an ordinary failure; a failure outweighs a timeout', () => {
    expect(outcome({ rule: 'all' }, 'failed', 'quota')).toBe('quota');
    expect(outcome({ rule: 'all' }, 'quota', 'cancelled')).toBe('cancelled');
    expect(outcome({ rule: 'all' }, 'timeout', 'failed')).toBe('failed');
    expect(outcome({ rule: 'all' }, 'ok', 'timeout')).toBe('timeout');
    expect(outcome({ rule: 'all' }, 'crashed', 'skipped')).toBe('crashed');
    expect(outcome({ rule: 'all' }, 'blocked', 'ok')).toBe('blocked');
  });
});

describe('no units', () => {
  test('[L5] all of none is ok; a rule that needs one is not met', () => {
    expect(outcome({ rule: 'all' })).toBe('ok');
    for (const rule of ['any', 'first'] as const) expect(outcome({ rule })).toBe('failed');
    expect(outcome({ rule: 'quorum', count: 1 })).toBe('failed');
  });
});
