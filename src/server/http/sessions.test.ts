import { expect, test } from 'vitest';
import { Sessions } from './sessions.ts';

const TOKEN = 'a'.repeat(43);
const sessions = new Sessions(TOKEN, 4000);
const none = { authorization: undefined, cookie: undefined };

test('[U2] the token lets in as a bearer, its cookie as a cookie, and neither as the other', () => {
  const [cookie = ''] = sessions.setCookie().split(';');
  const value = cookie.split('=')[1] ?? '';
  expect(sessions.passOf({ ...none, authorization: `Bearer ${TOKEN}` })).toBe('bearer');
  expect(sessions.passOf({ ...none, authorization: `bearer  ${TOKEN}` })).toBe('bearer');
  expect(sessions.passOf({ ...none, cookie })).toBe('cookie');
  expect(sessions.passOf({ ...none, cookie: `x=1; ${cookie};y` })).toBe('cookie');
  expect(sessions.passOf({ ...none, authorization: `Bearer ${value}` })).toBeNull();
  expect(sessions.passOf({ ...none, cookie: `troupe_4000=${TOKEN}` })).toBeNull();
});

test('[U2] a wrong bearer is not mended by a right cookie', () => {
  const [cookie = ''] = sessions.setCookie().split(';');
  expect(sessions.passOf({ authorization: 'Bearer wrong', cookie })).toBeNull();
});

test('[U2] the cookie of another port or another token lets nobody in', () => {
  const [other = ''] = new Sessions(TOKEN, 4001).setCookie().split(';');
  const [foreign = ''] = new Sessions('b'.repeat(43), 4000).setCookie().split(';');
  expect(sessions.passOf({ ...none, cookie: other })).toBeNull();
  expect(sessions.passOf({ ...none, cookie: foreign })).toBeNull();
  expect(sessions.passOf({ ...none, cookie: `${foreign}; ${new Sessions(TOKEN, 4000).setCookie()}` })).toBe('cookie');
  expect(sessions.passOf(none)).toBeNull();
});
