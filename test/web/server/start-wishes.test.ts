import { expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-table.ts';
import { ORDERS } from '../../../src/protocol/operations/acts.ts';
import { commandWords } from '../../../src/protocol/web/action.ts';

const WISHES = {
  models: ['base=x'],
  actors: ['coder=codex'],
  slots: 2,
  limits: { usd: 2, tokens: 3, duration: 4, iterations: 5, toolRounds: 6 },
  deliver: { to: 'apply', verify: '--check', allowsPartial: true },
} as const;

test('[U2] whatever a page may wish of a new run is an option of `troupe run`', () => {
  const asked = { workflow: 'w', ...WISHES };
  expect(ORDERS.start.far.safeParse(asked)).toMatchObject({ success: true });
  const flags = COMMANDS.find(({ name }) => name === 'run')?.options?.map((option) => option.flags.split(' ', 1)[0]);
  const words = commandWords({ kind: 'start', ...asked });
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=', 1)[0]);
  expect(options).toHaveLength(11);
  expect(options.filter((option) => !flags?.includes(option))).toEqual([]);
});

test('[U2] a page weakens no sandbox and names no file elsewhere', () => {
  const refused = [
    { sandbox: 'none' },
    { setup: false },
    { deliver: { copyTo: '/tmp' } },
    { deliver: { allowsSteering: true } },
    { inputFile: '/etc/passwd' },
    { options: ['--sandbox', 'none'] },
    { slots: 0 },
    { limits: { usd: '2' } },
  ];
  const taken = refused.filter((wish) => ORDERS.start.far.safeParse({ workflow: 'w', ...wish }).success);
  expect(taken).toEqual([]);
});
