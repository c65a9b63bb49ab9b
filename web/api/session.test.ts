import { expect, onTestFinished, test } from 'vitest';
import { session, tokenIn } from './session.ts';

test('[U2] a token is found in an address, in a fragment and by itself', () => {
  expect(tokenIn('http://127.0.0.1:4000/runs/x#t=abc_DEF-123')).toBe('abc_DEF-123');
  expect(tokenIn('#t=abc')).toBe('abc');
  expect(tokenIn(' abcdefghijklmnop_-12 \n')).toBe('abcdefghijklmnop_-12');
});

test('[U2] what is no token is none', () => {
  expect(tokenIn('')).toBeNull();
  expect(tokenIn('http://127.0.0.1:4000/')).toBeNull();
  expect(tokenIn('two words')).toBeNull();
});

test('[U2] a lost session is reported once, however often the server says so', async () => {
  await session.open(null);
  const states: string[] = [];
  onTestFinished(session.subscribe(() => void states.push(session.state())));
  session.lock({ code: 'TOKEN_REVOKED', message: 'Your token was revoked.' });
  session.lock(null);
  expect(states).toEqual(['locked']);
  expect(session.reason()?.code).toBe('TOKEN_REVOKED');
});

test('[U8] a refusal of what was asked before somebody signed in does not sign them out', async () => {
  await session.open(null);
  const asked = session.openings();
  session.lock({ code: 'SIGN_IN_NEEDED', message: 'Sign in.' }, asked);
  expect(session.state()).toBe('locked');
  await session.open(null);
  session.lock({ code: 'SIGN_IN_NEEDED', message: 'Sign in.' }, asked);
  expect(session.state()).toBe('open');
  session.lock({ code: 'TOKEN_REVOKED', message: 'Your token was revoked.' }, session.openings());
  expect(session.reason()?.code).toBe('TOKEN_REVOKED');
});
