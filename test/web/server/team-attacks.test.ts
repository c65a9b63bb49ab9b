import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neededRole } from '../../../src/protocol/operations/access.ts';
import { API } from '../../../src/server/http/api-table.ts';
import { createSandbox } from '../../cli/sandbox.ts';
import { cookieOf, NAME, newToken, openStream, ORIGIN, serveTeam, type TeamServed } from './team.ts';

const codes = async (answers: readonly ReturnType<TeamServed['ask']>[]): Promise<readonly unknown[]> =>
  (await Promise.all(answers)).map(({ status, body }) => [status, body.error?.code]);

test('[U8] without a token, or with any wrong one, the API answers the same; the page itself may be loaded', async () => {
  const served = await serveTeam();
  const right = await newToken(served.sandbox, 'anna', 'admin');
  const wrong = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${right}x` },
    { authorization: `Bearer ${right.slice(0, -1)}` },
    { authorization: `Basic ${right}` },
    { cookie: `troupe_${served.port}=${right}` },
    { cookie: `troupe_${served.port}=` },
  ];
  const answers = await Promise.all(wrong.map((headers) => served.ask('/api/about', { headers: { ...headers } })));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.body.error?.code).toBe('SIGN_IN_NEEDED');
  expect((await served.ask(`/api/about?token=${right}`)).status).toBe(401);
  expect((await served.get(right, '/api/about')).body['visitor']).toEqual({
    name: 'anna',
    role: 'admin',
    isTeam: true,
  });
  expect([200, 503]).toContain((await served.ask('/')).status);
});

test('[U8] the key of the page on loopback is no key here, and a team has none of it', async () => {
  const served = await serveTeam();
  expect(readdirSync(served.sandbox.home)).not.toContain('web-token');
});

test('[U8] a foreign Host is refused with the best of tokens, so that no name on the internet leads here', async () => {
  const served = await serveTeam();
  const authorization = `Bearer ${await newToken(served.sandbox, 'anna', 'admin')}`;
  const foreign = ['evil.example', `${NAME}.evil.example`, `${NAME}:8080`, `127.0.0.1:${served.port + 1}`, 'localhost'];
  for (const host of foreign) {
    for (const place of ['/api/about', '/']) {
      const answer = await served.ask(place, { headers: { host, authorization } });
      expect([host, answer.status, answer.body.error?.code]).toEqual([host, 403, 'HOST_FOREIGN']);
    }
  }
  expect((await served.ask('/api/about', { headers: { host: `${NAME}:443`, authorization } })).status).toBe(200);
});

test('[U8] pages of other origins are refused, also plain HTTP of the same name and also with a token', async () => {
  const served = await serveTeam();
  const authorization = `Bearer ${await newToken(served.sandbox, 'anna', 'admin')}`;
  for (const origin of [
    'https://evil.example',
    'null',
    `http://${NAME}`,
    `${ORIGIN}:8443`,
    `http://127.0.0.1:${served.port}`,
  ]) {
    const answer = await served.ask('/api/about', { headers: { origin, authorization } });
    expect([origin, answer.body.error?.code]).toEqual([origin, 'ORIGIN_FOREIGN']);
  }
  expect((await served.ask('/api/about', { headers: { origin: ORIGIN, authorization } })).status).toBe(200);
});

test('[U8] the session is a cookie for TLS alone that no script reads; with it, acts must come from our own page', async () => {
  const served = await serveTeam();
  const token = await newToken(served.sandbox, 'anna', 'operator');
  const set = (await served.post(token, '/api/session')).headers['set-cookie']?.[0] ?? '';
  const [cookie = '', ...attributes] = set.split('; ');
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/api', 'SameSite=Strict', 'Secure']);
  expect(cookie).not.toContain(token);
  const act = (headers: Record<string, string>) =>
    served.ask('/api/runs/none/cancel', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  expect(
    await codes([
      act({}),
      act({ 'sec-fetch-site': 'same-site' }),
      act({ 'sec-fetch-site': 'cross-site', origin: ORIGIN }),
      act({ origin: 'https://evil.example' }),
      act({ origin: ORIGIN }),
      act({ origin: ORIGIN, 'content-type': 'text/plain' }),
    ]),
  ).toEqual([
    [403, 'ORIGIN_NEEDED'],
    [403, 'ORIGIN_FOREIGN'],
    [403, 'ORIGIN_FOREIGN'],
    [403, 'ORIGIN_FOREIGN'],
    [404, 'RUN_UNKNOWN'],
    [415, 'BODY_NOT_JSON'],
  ]);
});

test('[U8] a cookie does not open a session, so that a stolen one does not renew itself', async () => {
  const served = await serveTeam();
  const token = await newToken(served.sandbox, 'anna', 'operator');
  const set = (await served.post(token, '/api/session')).headers['set-cookie']?.[0] ?? '';
  const headers = { cookie: set.split('; ')[0] ?? '', origin: ORIGIN, 'content-type': 'application/json' };
  expect((await served.ask('/api/about', { headers })).status).toBe(200);
  const again = await served.ask('/api/session', { method: 'POST', headers, body: '{}' });
  expect(again.status).toBe(401);
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('[U8] every request of a session whose token was revoked is refused with the reason, not only the first', async () => {
  const served = await serveTeam();
  const token = await newToken(served.sandbox, 'anna', 'operator');
  const set = (await served.post(token, '/api/session')).headers['set-cookie']?.[0] ?? '';
  const headers = { cookie: set.split('; ')[0] ?? '' };
  await served.sandbox.troupe(['token', 'revoke', 'anna']);
  await expect.poll(async () => (await served.ask('/api/about', { headers })).status).toBe(401);
  for (const _again of [1, 2]) {
    const answer = await served.ask('/api/about', { headers });
    expect([answer.status, answer.body.error?.code]).toEqual([401, 'TOKEN_REVOKED']);
  }
});

test('[U8] signing out ends the session, also for a copy of the cookie', async () => {
  const served = await serveTeam();
  const cookie = await cookieOf(served, await newToken(served.sandbox, 'anna', 'viewer'));
  const look = () => served.ask('/api/about', { headers: { cookie } });
  expect((await look()).status).toBe(200);
  const out = await served.ask('/api/session/end', { method: 'POST', headers: { cookie, origin: ORIGIN } });
  expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect((await look()).body.error?.code).toBe('SIGN_IN_NEEDED');
});

test('[U8] a role opens exactly the operations of the table, on every route there is', async () => {
  const served = await serveTeam();
  const roles = ['viewer', 'operator', 'admin'] as const;
  const refused: Record<string, number> = {};
  for (const [rank, role] of roles.entries()) {
    const token = await newToken(served.sandbox, role, role);
    const routes = API.filter(({ answer, path: place }) => !('events' in answer) && !place.startsWith('/api/session'));
    for (const { method, path: route, operation } of routes) {
      const place = route.replaceAll(/\{\w+\}/g, 'none');
      const answer = method === 'get' ? await served.get(token, place) : await served.post(token, place);
      const isRefused = answer.body.error?.code === 'ROLE_NEEDED';
      const isAbove = roles.indexOf(neededRole(operation)) > rank;
      expect([role, method, route, isRefused, answer.status === 403]).toEqual([role, method, route, isAbove, isAbove]);
      if (isRefused) refused[role] = (refused[role] ?? 0) + 1;
    }
  }
  expect(refused).toEqual({ viewer: 13, operator: 3 });
});

test('[U8] what only an admin may ask is refused in the request of an operator', async () => {
  const served = await serveTeam();
  const operator = await newToken(served.sandbox, 'olga', 'operator');
  const admin = await newToken(served.sandbox, 'anna', 'admin');
  const starts = [
    { workflow: 'nowhere', limits: { usd: 1000 } },
    { workflow: 'nowhere', deliver: { verify: 'true' } },
    // Code of a file runs outside the sandbox: an agent could have written it.
    { workflow: '/tmp/nowhere/written-by-an-agent' },
    { workflow: 'nowhere.ts' },
    { workflow: 'nowhere#one' },
  ];
  const [refused, known] = [operator, admin].map((token) =>
    starts.map((start) => served.post(token, '/api/runs', start)),
  );
  expect(await codes(refused ?? [])).toEqual(starts.map(() => [403, 'ROLE_NEEDED']));
  expect((await codes(known ?? [])).flat()).not.toContain('ROLE_NEEDED');
  expect(await codes([served.post(operator, '/api/runs', { workflow: 'nowhere' })])).toEqual([
    [404, 'WORKFLOW_UNKNOWN'],
  ]);
});

test('[U8] a token makes so many requests a minute, then waits; others are not held up by it', async () => {
  const served = await serveTeam();
  const eager = await newToken(served.sandbox, 'eager', 'viewer', ['--per-minute', '3']);
  const calm = await newToken(served.sandbox, 'calm', 'viewer');
  const answers = [];
  for (let round = 0; round < 5; round += 1) answers.push(await served.get(eager, '/api/about'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
  expect(answers[3]?.body.error?.code).toBe('RATE_LIMITED');
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await served.get(calm, '/api/about')).status).toBe(200);
});

test('[U8] a token that is revoked in mid-stream ends its streams with the reason, and only its own', async () => {
  const served = await serveTeam();
  const token = await newToken(served.sandbox, 'anna', 'viewer', ['--streams', '2']);
  const other = await newToken(served.sandbox, 'ben', 'viewer');
  const cookie = await cookieOf(served, token);
  const [first, second, stays] = await Promise.all([
    openStream(served, { authorization: `Bearer ${token}` }),
    openStream(served, { cookie, origin: ORIGIN }),
    openStream(served, { authorization: `Bearer ${other}` }),
  ]);
  expect([first.status, second.status, stays.status]).toEqual([200, 200, 200]);
  const third = await openStream(served, { authorization: `Bearer ${token}` });
  expect([third.status, Number(third.retryAfter) > 0]).toEqual([429, true]);
  expect((await served.sandbox.troupe(['token', 'revoke', 'anna'])).code).toBe(0);
  for (const { text } of [first, second])
    expect(await text).toMatch(/event: ended\ndata: \{"error":\{"code":"TOKEN_REVOKED"[^\n]*\n\n$/);
  expect((await served.ask('/api/about', { headers: { cookie } })).body.error?.code).toBe('TOKEN_REVOKED');
  expect((await served.get(token, '/api/about')).body.error?.code).toBe('SIGN_IN_NEEDED');
  expect((await served.get(other, '/api/about')).status).toBe(200);
});

test('[U8] a token is kept as its hash, for the user alone, and stands in no file and no output', async () => {
  const sandbox = createSandbox();
  const served = await serveTeam(sandbox);
  const token = await newToken(sandbox, 'anna', 'operator');
  await served.get(token, '/api/about');
  await served.get(`${token}x`, '/api/about');
  // Files of a server that runs come and go while they are read.
  served.running.child.kill('SIGINT');
  const { stdout, stderr } = await served.running.ended;
  const files = readdirSync(sandbox.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.some(({ name }) => name === 'anna.json')).toBe(true);
  const secret = token.slice('troupe_'.length);
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    expect([file, readFileSync(file, 'latin1').includes(secret)]).toEqual([file, false]);
  }
  const kept = join(sandbox.home, 'tokens', 'anna.json');
  expect([statSync(kept).mode & 0o777, statSync(join(sandbox.home, 'tokens')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(`${stdout}${stderr}`).not.toContain(secret);
});
