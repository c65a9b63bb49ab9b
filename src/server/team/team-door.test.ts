import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tokenFiles } from '../../app/tokens/token-files.ts';
import { isFault } from '../../core/model/fault.ts';
import { issueToken, tokenHash } from '../../app/tokens/tokens.ts';
import type { KeptToken, TokenStore } from '../../app/tokens/token-store.ts';
import type { DoorRequest, Visitor } from '../http/door.ts';
import { eventResponse } from '../live/event-response.ts';
import { TeamDoor } from './team-door.ts';
import { TokenDesk } from './token-desk.ts';
import { RateLimits, SlowDown } from './visit-limits.ts';

function memoryTokens(): TokenStore & { readonly tokens: KeptToken[] } {
  const tokens: KeptToken[] = [];
  return {
    tokens,
    list: async () => [...tokens],
    add: async (token) => void tokens.push(token),
    remove: async (name) =>
      tokens.splice(
        tokens.findIndex((one) => one.name === name),
        1,
      ).length === 1,
  };
}

const about = { role: 'viewer', perMinute: 600, streams: 16 } as const;

const request = (given: Partial<DoorRequest>): DoorRequest => ({
  path: '/api/about',
  address: '10.0.0.1',
  forwardedFor: undefined,
  authorization: undefined,
  cookie: undefined,
  ...given,
});

async function codeOf(asked: Promise<unknown>): Promise<string | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

test('[U8] a token that expires ends what it has open, with the reason as the last event of a stream', async () => {
  let now = 1000;
  const store = memoryTokens();
  const { kept } = await issueToken(store, { ...about, name: 'anna', expiresMs: 500 }, now);
  const desk = new TokenDesk(store, () => now);
  const ended = desk.endOf(kept);
  const waiting = { next: () => new Promise<string | null>(() => undefined), close: () => undefined };
  const { body } = eventResponse(() => waiting, { ended });
  const text = new Response(body).text();
  await desk.check();
  expect(ended.aborted).toBe(false);
  now = 1500;
  await desk.check();
  desk.close();
  expect(await text).toMatch(/event: ended\ndata: \{"error":\{"code":"TOKEN_EXPIRED"/);
});

test('[U8] an expired token is refused as expired; a session ends with its token, and a new token of that name starts a new one', async () => {
  let now = 0;
  const store = memoryTokens();
  const door = new TeamDoor({ store, hosts: new Set(['x']), port: 1, isProxied: false, now: () => now });
  const { token } = await issueToken(store, { ...about, name: 'anna', expiresMs: 500 }, now);
  const authorization = `Bearer ${token}`;
  const { visitor } = await door.admit(request({ authorization }));
  const [cookie = ''] = door.openSession(visitor).split(';');
  expect((await door.admit(request({ cookie }))).pass).toBe('cookie');
  now = 500;
  expect(await codeOf(door.admit(request({ authorization })))).toBe('TOKEN_EXPIRED');
  expect(await codeOf(door.admit(request({ cookie })))).toBe('TOKEN_EXPIRED');
  await store.remove('anna');
  await issueToken(store, { ...about, name: 'anna' }, now);
  const desk = new TokenDesk(store);
  expect(await desk.find(tokenHash(token))).toBeNull();
  desk.close();
  door.close();
});

test('[U8] a damaged token file admits no one and ends no session; only the operator sees its path', async () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-tokens-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = tokenFiles(home);
  const { token } = await issueToken(store, { ...about, name: 'anna' });
  const { token: lost } = await issueToken(store, { ...about, name: 'ben' });
  const file = join(home, 'tokens', 'ben.json');
  writeFileSync(file, '{"name":"ben"}');
  const notes: string[] = [];
  const options = { hosts: new Set(['x']), port: 1, isProxied: false, wait: async () => undefined };
  const door = new TeamDoor({ store, ...options, note: (text) => notes.push(text) });
  expect((await door.admit(request({ authorization: `Bearer ${token}` }))).visitor.name).toBe('anna');
  const refusal: unknown = await door
    .admit(request({ authorization: `Bearer ${lost}` }))
    .catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'SIGN_IN_NEEDED' });
  expect(JSON.stringify(refusal)).not.toContain(home);
  expect(notes).toEqual([expect.stringContaining(`${file} is not a token of Troupe. Remove the file`)]);
  await expect(store.list()).rejects.toMatchObject({ code: 'TOKEN_DAMAGED' });
  door.close();
});

test('[U8] wrong tokens of an address wait longer and longer, a right one never; a proxy says who is who', async () => {
  const store = memoryTokens();
  const waits: number[] = [];
  const options = { hosts: new Set(['x']), port: 1, isProxied: true, wait: async (ms: number) => waits.push(ms) };
  const door = new TeamDoor({ store, ...options });
  const { token } = await issueToken(store, { ...about, name: 'anna' });
  const wrong = { authorization: 'Bearer wrong', forwardedFor: '9.9.9.9, 1.1.1.1' };
  for (let round = 0; round < 12; round += 1) expect(await codeOf(door.admit(request(wrong)))).toBe('SIGN_IN_NEEDED');
  expect(waits).toEqual([0, 0, 0, 0, 0, 200, 400, 800, 1600, 2000, 2000, 2000]);
  await door.admit(request({ authorization: `Bearer ${token}`, forwardedFor: '1.1.1.1' }));
  expect(waits).toHaveLength(12);
  // What stands before the proxy's own word is the client's: another one there changes nothing.
  await codeOf(door.admit(request({ ...wrong, forwardedFor: '8.8.8.8, 1.1.1.1' })));
  await codeOf(door.admit(request({ ...wrong, forwardedFor: '2.2.2.2' })));
  expect(waits.slice(12)).toEqual([2000, 0]);
  // Nothing given is nothing wrong.
  await codeOf(door.admit(request({ forwardedFor: '3.3.3.3' })));
  expect(waits).toHaveLength(14);
  door.close();
});

test('[U8] addresses of one IPv6 network wait as one, and a minute of peace is forgiven', () => {
  let now = 0;
  const slow = new SlowDown(() => now);
  const delays = [1, 2, 3, 4, 5, 6].map((last) => slow.delayMs(`2001:db8:1:2::${last}`));
  expect(delays).toEqual([0, 0, 0, 0, 0, 200]);
  expect(slow.delayMs('2001:db8:1:3::1')).toBe(0);
  now = 60_000;
  expect(slow.delayMs('2001:db8:1:2::1')).toBe(0);
});

test('[U8] requests come back one by one, and Retry-After says when the next one is', async () => {
  let now = 0;
  const rates = new RateLimits(() => now);
  const token = { hash: 'a', perMinute: 2 };
  rates.take(token);
  rates.take(token);
  expect(() => rates.take(token)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', facts: { retryAfterS: 30 } }),
  );
  now = 30_000;
  rates.take(token);
  expect(() => rates.take(token)).toThrow('2 requests a minute');
  rates.take({ hash: 'b', perMinute: 2 });
});

test('[U8] a token has 32 sessions at most, the oldest go first', async () => {
  const store = memoryTokens();
  const door = new TeamDoor({ store, hosts: new Set(['x']), port: 1, isProxied: false, wait: async () => undefined });
  const { token } = await issueToken(store, { ...about, name: 'anna' });
  const { visitor } = await door.admit(request({ authorization: `Bearer ${token}` }));
  const open = (one: Visitor): string => door.openSession(one).split(';')[0] ?? '';
  const cookies = Array.from({ length: 33 }, () => open(visitor));
  expect(await codeOf(door.admit(request({ cookie: cookies[0] })))).toBe('SIGN_IN_NEEDED');
  expect(await codeOf(door.admit(request({ cookie: cookies[1] })))).toBeNull();
  expect(await codeOf(door.admit(request({ cookie: cookies[32] })))).toBeNull();
  door.close();
});

test('[U8] a token is compared with every token there is, in constant time, wherever it stands in the list', async () => {
  const store = memoryTokens();
  const issued = await Promise.all(['a', 'b', 'c'].map((name) => issueToken(store, { ...about, name })));
  let reads = 0;
  const counted = (token: KeptToken): KeptToken => ({
    ...token,
    get hash() {
      reads += 1;
      return token.hash;
    },
  });
  const desk = new TokenDesk({ ...store, list: async () => store.tokens.map(counted) });
  for (const { token, kept } of issued) {
    reads = 0;
    expect((await desk.find(tokenHash(token)))?.name).toBe(kept.name);
    expect(reads).toBe(3);
  }
  desk.close();
  const source = readFileSync(new URL('token-desk.ts', import.meta.url), 'utf8');
  expect(source).toMatch(/timingSafeEqual\(Buffer\.from\(token\.hash, 'hex'\), hash\)/);
});
