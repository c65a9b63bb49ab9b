import { expect, test } from 'vitest';
import { entered, smallTree } from '../../model/testing/small-run.ts';
import { forkFields } from './fork-dialog.tsx';
import { limitFields, raisedLimits } from './raised-limits.ts';

const MET = { kind: 'limit.reached', limit: 'durationMs', allowed: 60_000, used: 60_001, state: 'a' };

test('[L10] a limit that was met is known with what it is now, in the unit of the command line', () => {
  const fields = limitFields(smallTree(entered('a', 1), MET));
  expect(fields.find(({ flag }) => flag === 'duration')).toMatchObject({ present: 60, isMet: true });
  expect(fields.find(({ flag }) => flag === 'iterations')).toMatchObject({ present: 50, isMet: false });
  expect(fields.find(({ flag }) => flag === 'usd')).toMatchObject({ present: null, isMet: false });
});

test('[L10] it has to be raised, and a limit can only be raised', () => {
  const fields = limitFields(smallTree(entered('a', 1), MET));
  expect(raisedLimits(fields, {}).problem).toContain('has to be raised');
  expect(raisedLimits(fields, { duration: '60' }).problem).toContain('can only be raised');
  expect(raisedLimits(fields, { duration: 'long' }).problem).toContain('number');
  expect(raisedLimits(fields, { duration: '120', usd: '2.5' })).toEqual({
    limits: { duration: 120, usd: 2.5 },
    problem: null,
  });
});

test('[U2] the fields of a fork begin with what the run was given', () => {
  const parameter = { name: 'task', type: 'string', description: 'd', required: true } as const;
  expect(forkFields([parameter], { task: 'Do it' })).toMatchObject([{ name: 'task', default: 'Do it', isLong: false }]);
  expect(forkFields([parameter], { task: 'one\ntwo' })).toMatchObject([{ isLong: true }]);
  expect(forkFields([{ ...parameter, type: 'array' }], { task: [1] })).toMatchObject([{ default: '[1]' }]);
});
