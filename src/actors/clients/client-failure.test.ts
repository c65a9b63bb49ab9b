import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { deskUnreachable, endedEarly, notStarted, type ClientName } from './client-failure.ts';

const NAME: ClientName = { title: 'The client', host: 'vendor.test', model: 'm', loginHint: 'Log in.', secrets: [] };

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it was refused`), { code });

test.each(['ENOSPC', 'EDQUOT', 'EROFS'])('[I83] %s before the start is for a person to fix', (code) => {
  expect(() => notStarted(NAME, systemError(code))).toThrow(Fault);
});

test('[I83] a problem that the engine leaves to a person stays one', () => {
  const fault = new Fault('STORE_BUSY', 'The store is busy.');
  expect(() => notStarted(NAME, fault)).toThrow(fault);
});

test.each(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY'])('%s may be over the next time', (code) => {
  expect(notStarted(NAME, systemError(code))).toMatchObject({ class: 'crash', code: 'CLIENT_NOT_STARTED' });
  const end = { exitCode: null, signal: null, stopped: null, startFailure: `spawn node ${code}`, errorOutput: '' };
  expect(endedEarly(NAME, end, 0)).toMatchObject({ class: 'crash', code: 'CLIENT_NOT_STARTED' });
});

test('a program that cannot be started at all stays a matter of the settings', () => {
  expect(notStarted(NAME, systemError('EACCES'))).toMatchObject({ class: 'config' });
  expect(notStarted(NAME, new Fault('SANDBOX_UNAVAILABLE', 'There is none.', { hint: 'Install it.' }))).toMatchObject({
    class: 'config',
    code: 'SANDBOX_UNAVAILABLE',
    hint: 'Install it.',
  });
});

test('[Q2] a desk that did not answer may do so the next time', () => {
  expect(deskUnreachable(NAME)).toMatchObject({ class: 'crash', code: 'DESK_UNREACHABLE' });
});
