import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleRole } from '../../actor.contract.ts';
import { fakeClients } from '../testing/fake-clients.ts';
import { createAcpActor, type AcpOptions } from './acp-actor.ts';
import { plainAgent } from './acp-agent.ts';

const { root, callFake } = fakeClients<AcpOptions>('acp-actor', ({ program, ...fake }, change) => {
  const agent = plainAgent({ name: 'fake', command: [program] });
  return createAcpActor({ agent, command: [program], ...fake, ...change });
});

const answer = (id: number, result: string): string =>
  `read -r line; echo '{"jsonrpc":"2.0","id":${id},"result":${result}}'`;
const GREETING = answer(0, '{"protocolVersion":1}');
const OPENED = answer(1, '{"sessionId":"s"}');
const SAID =
  'echo \'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Fine."}}}}\'';
const ENDED = 'echo \'{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}\'';
const ASKS =
  'echo \'{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","kind":"execute"},"options":[{"optionId":"y","kind":"allow_once"}]}}\'';

const MUST_ASK = { role: { ...sampleRole, ask: ['execute_terminal'] } };

test('the least that an agent can say is enough', async () => {
  const { reply } = await callFake(`${GREETING}; ${OPENED}; read -r order; ${SAID}; ${ENDED}; read -r end; exit 0`);
  expect(reply).toMatchObject({ kind: 'answered', content: 'Fine.', usage: { calls: 1 }, costUsd: null });
});

test('one that begins a conversation without a name is not spoken with', async () => {
  const { reply } = await callFake(`${GREETING}; ${answer(1, '{}')}; read -r end; exit 0`);
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'crash', code: 'CLIENT_FAILED' } });
});

test('[Q5] waiting for a person does not count as being stuck', async () => {
  const limits = { idleMs: 700, wallMs: 700 };
  const permission = Promise.withResolvers<{ isAllowed: boolean }>();
  const asking = callFake(`${GREETING}; ${OPENED}; read -r order; ${ASKS}; read -r reply; ${SAID}; ${ENDED}`, {
    order: { limits },
    request: MUST_ASK,
    options: { onPermission: () => permission.promise },
  });
  const silent = await callFake('exec tail -f /dev/null', { order: { limits: { ...limits, wallMs: 60_000 } } });
  expect(silent.reply).toMatchObject({ kind: 'failed', failure: { code: 'CLIENT_STUCK' } });
  permission.resolve({ isAllowed: true });
  expect((await asking).reply).toMatchObject({ kind: 'answered', content: 'Fine.' });
});

test('a question that is still open when the turn is cancelled is answered as such', async () => {
  const controller = new AbortController();
  const { reply, folder } = await callFake(
    `${GREETING}; ${OPENED}; read -r order; ${ASKS}; read -r one; read -r other; printf '%s\\n' "$one" "$other" > answers`,
    {
      request: MUST_ASK,
      options: {
        signal: controller.signal,
        onPermission: async () => {
          controller.abort();
          return await new Promise(() => undefined);
        },
      },
    },
  );
  expect(reply).toMatchObject({ kind: 'failed', failure: { class: 'cancelled' } });
  const lines = readFileSync(join(folder, 'work/answers'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } },
      { jsonrpc: '2.0', id: 'q', result: { outcome: { outcome: 'cancelled' } } },
    ]),
  );
});

test('[L8] the login is copied; an unreadable other one is not copied back', async () => {
  const home = mkdtempSync(join(root, 'user-'));
  mkdirSync(join(home, '.fake'));
  const file = join(home, '.fake/auth.json');
  writeFileSync(file, '{"token":"old"}');
  const agent = { ...plainAgent({ name: 'fake', command: [] }), loginFiles: [{ path: '.fake/auth.json' }] };
  const script = `grep -q old "$HOME/.fake/auth.json" || exit 9
echo '{"token":"new"}' > "$HOME/.fake/auth.json"; touch -t 203001010000 "$HOME/.fake/auth.json"
${GREETING}; ${OPENED}; read -r order; ${SAID}; ${ENDED}`;
  const actor = { agent, environment: { PATH: '/usr/bin:/bin', HOME: home } };
  const { reply, activities } = await callFake(script, { actor });
  expect(reply).toMatchObject({ kind: 'answered' });
  expect(readFileSync(file, 'utf8')).toContain('old');
  expect(activities).toMatchObject([{ kind: 'notice', text: expect.stringContaining('yours was not changed') }]);
});
