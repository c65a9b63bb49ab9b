import { expect, test } from 'vitest';
import { isFault } from '../core/model/fault.ts';
import { chooseSandbox, defaultLevel, describeSandbox } from './find-sandbox.ts';
import type { FoundLevel, FoundSandboxes } from './found-level.ts';

const level = (name: FoundLevel['level'], more: Partial<FoundLevel> = {}): FoundLevel => ({
  level: name,
  failures: [],
  gaps: [],
  hasOverlay: false,
  processLimit: 'none',
  containment: 'group',
  identity: 'own',
  program: '',
  canForbidNamespaces: false,
  canLimitScratch: false,
  ...more,
});

const found = (bubblewrap: Partial<FoundLevel>, landlock: Partial<FoundLevel> = {}): FoundSandboxes => ({
  levels: [level('bubblewrap', bubblewrap), level('landlock', landlock), level('none')],
  scratch: '/nowhere',
});

function faultOf(action: () => unknown) {
  try {
    action();
  } catch (error) {
    if (isFault(error)) return error;
  }
  throw new Error('no fault was thrown');
}

test('[P12] the level that was asked for is given', () => {
  expect(chooseSandbox(found({ hasOverlay: true }), 'bubblewrap')).toMatchObject({
    level: 'bubblewrap',
    hasOverlay: true,
  });
  expect(chooseSandbox(found({ failures: ['x'] }), 'landlock').level).toBe('landlock');
  expect(chooseSandbox(found({ failures: ['x'] }), 'none').level).toBe('none');
});

test('[P12] bubblewrap is what Linux has to offer, elsewhere there is none', () => {
  expect([defaultLevel('linux'), defaultLevel('darwin')]).toEqual(['bubblewrap', 'none']);
});

test('[P12] where bubblewrap is missing nothing weaker is taken, and the fault says how to get it', () => {
  const fault = faultOf(() =>
    chooseSandbox(found({ failures: ['bubblewrap (bwrap) is not installed'] }), 'bubblewrap'),
  );
  expect(fault.code).toBe('SANDBOX_UNAVAILABLE');
  expect(fault.message).toContain('is not installed');
  expect(fault.hint).toContain('apt-get install bubblewrap');
  expect(fault.hint).toContain('--sandbox landlock');
  expect(fault.hint).toContain('--sandbox none');
});

test('[P12] where the kernel refuses, the fault says how to allow it', () => {
  const refused = { program: '/usr/bin/bwrap', failures: ['setting up uid map: Permission denied'] };
  const fault = faultOf(() => chooseSandbox(found(refused, { failures: ['x'] }), 'bubblewrap'));
  expect(fault.hint).toContain('apparmor_restrict_unprivileged_userns');
  expect(fault.hint).not.toContain('apt-get');
  expect(fault.hint).not.toContain('--sandbox landlock');
});

test('[P12] one line describes the quality of a level here', () => {
  expect(describeSandbox(level('bubblewrap', { hasOverlay: true }))).toMatch(/^bubblewrap: .*throw-away overlays$/);
  expect(describeSandbox(level('landlock', { gaps: ['UDP is open'] }))).toMatch(/REDUCED.*not covered: UDP is open$/);
  expect(describeSandbox(level('none'))).toContain('NO SANDBOX');
  expect(describeSandbox(level('bubblewrap', { failures: ['a', 'b'] }))).toBe('bubblewrap: does not work here: a; b');
});
