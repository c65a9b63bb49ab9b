import { afterEach, describe, expect, test } from 'vitest';
import { forgetEarly, takeEarly } from './session.ts';

const asked = (answers: Readonly<Record<string, Promise<Response>>>): void => {
  Object.assign(globalThis, { troupeEarly: new Map(Object.entries(answers)) });
};
afterEach(() => void Reflect.deleteProperty(globalThis, 'troupeEarly'));

describe('[U2] what was asked for before the page was there', () => {
  test('is taken once', async () => {
    asked({ '/a': Promise.resolve(new Response('1')) });
    expect(await (await takeEarly('/a'))?.text()).toBe('1');
    expect(await takeEarly('/a')).toBeNull();
    expect(await takeEarly('/b')).toBeNull();
  });

  test('is taken as it is where nothing is there', async () => {
    asked({ '/a': Promise.resolve(new Response('', { status: 404 })) });
    expect((await takeEarly('/a'))?.status).toBe(404);
  });

  test('is asked for again where it was refused or did not come', async () => {
    asked({ '/a': Promise.resolve(new Response('', { status: 401 })), '/b': Promise.reject(new Error('gone')) });
    expect([await takeEarly('/a'), await takeEarly('/b')]).toEqual([null, null]);
  });

  test('is forgotten when the session is locked, and need not be there at all', async () => {
    asked({ '/a': Promise.resolve(new Response('1')) });
    forgetEarly();
    expect(await takeEarly('/a')).toBeNull();
    Reflect.deleteProperty(globalThis, 'troupeEarly');
    forgetEarly();
    expect(await takeEarly('/a')).toBeNull();
  });
});
