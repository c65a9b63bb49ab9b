import { expect, test } from 'vitest';
import { isFault } from '../../core/model/fault.ts';
import type { DoorRequest } from './door.ts';
import { OwnerDoor } from './owner-door.ts';

const TOKEN = 'a'.repeat(43);
const door = new OwnerDoor({ token: TOKEN, port: 4000 });
const none: DoorRequest = {
  path: '/api/about',
  address: '127.0.0.1',
  forwardedFor: undefined,
  authorization: undefined,
  cookie: undefined,
};

async function passOf(request: Partial<DoorRequest>): Promise<string> {
  try {
    return (await door.admit({ ...none, ...request })).pass;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

const cookieOf = (one: OwnerDoor): string => one.openSession().split(';')[0] ?? '';

test('[U2] the token lets in as a bearer, its cookie as a cookie, and neither as the other', async () => {
  const cookie = cookieOf(door);
  const value = cookie.split('=')[1] ?? '';
  expect(await passOf({ authorization: `Bearer ${TOKEN}` })).toBe('bearer');
  expect(await passOf({ authorization: `bearer  ${TOKEN}` })).toBe('bearer');
  expect(await passOf({ cookie })).toBe('cookie');
  expect(await passOf({ cookie: `x=1; ${cookie};y` })).toBe('cookie');
  expect(await passOf({ authorization: `Bearer ${value}` })).toBe('TOKEN_NEEDED');
  expect(await passOf({ cookie: `troupe_4000=${TOKEN}` })).toBe('TOKEN_NEEDED');
});

test('[U2] a wrong bearer is not fixed by a right cookie', async () => {
  expect(await passOf({ authorization: 'Bearer wrong', cookie: cookieOf(door) })).toBe('TOKEN_NEEDED');
});

test('[U2] the cookie of another port or another token is refused', async () => {
  const other = cookieOf(new OwnerDoor({ token: TOKEN, port: 4001 }));
  const foreign = cookieOf(new OwnerDoor({ token: 'b'.repeat(43), port: 4000 }));
  expect(await passOf({ cookie: other })).toBe('TOKEN_NEEDED');
  expect(await passOf({ cookie: foreign })).toBe('TOKEN_NEEDED');
  expect(await passOf({ cookie: `${foreign}; ${cookieOf(door)}` })).toBe('cookie');
  expect(await passOf({})).toBe('TOKEN_NEEDED');
});
