import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../cli/sandbox.ts';
import { newToken } from './team.ts';
import { certificate } from './certificate.ts';

const refusal = async (sandbox: Sandbox, words: readonly string[]): Promise<readonly unknown[]> => {
  const { code, stderr } = await sandbox.start(['serve', '--json', ...words]).ended;
  const { code: name, hint } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as Record<string, string>;
  return [code === 0, name, hint?.match(/--[\w-]+|troupe token new/)?.[0]];
};

test('[U8] a server that others reach does not begin without a token, TLS and a name; each says what to do', async () => {
  const sandbox = createSandbox();
  const all = ['--listen', '0.0.0.0:0'];
  expect(await refusal(sandbox, [...all, '--behind-tls'])).toEqual([false, 'LISTEN_WITHOUT_TOKEN', 'troupe token new']);
  await newToken(sandbox, 'anna', 'admin');
  expect(await refusal(sandbox, all)).toEqual([false, 'LISTEN_WITHOUT_TLS', '--tls-cert']);
  expect(await refusal(sandbox, [...all, '--tls-cert', 'x.pem'])).toEqual([false, 'LISTEN_WITHOUT_TLS', '--tls-cert']);
  expect(await refusal(sandbox, [...all, '--behind-tls'])).toEqual([false, 'LISTEN_WITHOUT_NAME', '--public-name']);
  const files = ['--tls-cert', 'no.pem', '--tls-key', 'no.pem'];
  expect(await refusal(sandbox, [...all, ...files])).toEqual([false, 'TLS_UNUSABLE', '--tls-cert']);
});

test('[U8] addresses and names that are none, and options that exclude each other, are refused', async () => {
  const sandbox = createSandbox();
  await newToken(sandbox, 'anna', 'admin');
  const wrong = [
    ['--listen', '8443', '--behind-tls'],
    ['--listen', '0.0.0.0:99999', '--behind-tls'],
    ['--listen', '[zz]:1', '--behind-tls'],
    ['--listen', '0.0.0.0:0', '--behind-tls', '--public-name', 'https://x'],
    ['--listen', '0.0.0.0:0', '--behind-tls', '--tls-cert', 'x', '--tls-key', 'y'],
    ['--listen', '0.0.0.0:0', '--port', '1'],
    ['--behind-tls'],
    ['--public-name', 'x'],
  ];
  const refused = await Promise.all(wrong.map((words) => refusal(sandbox, words)));
  expect(refused.map(([isOk, code]) => [isOk, code])).toEqual(wrong.map(() => [false, 'USAGE']));
  const nowhere = await refusal(sandbox, ['--listen', '203.0.113.7:0', '--behind-tls']);
  expect(nowhere.slice(0, 2)).toEqual([false, 'ADDRESS_UNUSABLE']);
});

test('[U8] with a certificate it speaks TLS itself, and nothing else; a stream outlives many other connections', async () => {
  const sandbox = createSandbox();
  const token = await newToken(sandbox, 'anna', 'viewer', ['--per-minute', '10000']);
  const { cert, key } = certificate(sandbox.home);
  const words = ['--listen', '127.0.0.1:0', '--tls-cert', cert, '--tls-key', key];
  const running = sandbox.start(['serve', '--json', ...words]);
  const { url } = JSON.parse(String((await running.lines.next()).value)) as { readonly url: string };
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
  const authorization = `Bearer ${token}`;
  const ask = async (path: string, method = 'GET', body?: string): Promise<IncomingMessage> => {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = request(new URL(path, url), { method, headers, rejectUnauthorized: false, agent: false });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  };
  const stream = await ask('/api/stream', 'POST', JSON.stringify({ cards: true, after: {} }));
  expect(stream.statusCode).toBe(200);
  await once(stream, 'data');
  // More than the places that connections without a token have.
  for (let round = 0; round < 150; round += 1) (await ask('/api/about')).resume();
  expect(stream.closed).toBe(false);
  const ended = once(stream, 'end');
  await sandbox.troupe(['token', 'revoke', 'anna']);
  let last = '';
  stream.on('data', (piece: Buffer) => (last += piece.toString()));
  await ended;
  expect(last).toContain('TOKEN_REVOKED');
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed');
});

test('[U8] a key that is not of the certificate is refused before anything listens', async () => {
  const sandbox = createSandbox();
  await newToken(sandbox, 'anna', 'viewer');
  const { cert } = certificate(sandbox.home);
  const other = join(sandbox.home, 'other.pem');
  writeFileSync(other, execFileSync('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']));
  const words = ['--listen', '127.0.0.1:0', '--tls-cert', cert, '--tls-key', other];
  expect((await refusal(sandbox, words)).slice(0, 2)).toEqual([false, 'TLS_UNUSABLE']);
});
