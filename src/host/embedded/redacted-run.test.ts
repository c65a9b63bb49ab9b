import { expect, test } from 'vitest';
import type { Actor, CallAnswer, CallOptions, CallReply } from '../../actors/port.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { Json } from '../../core/model/json.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { redactingJournal } from '../../journal/redacting-journal.ts';
import { KnownSecrets, REDACTED } from '../../secrets/known-secrets.ts';
import { asking } from '../testing/asking.ts';
import { build, end, to, turn, work } from '../testing/build-definition.ts';
import { coderReviewer, noteTool } from '../testing/coder-reviewer.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const KEY = 'sk-9fK2mQ7xW4bT8vR1cL6nD3hJ5gS0';

const said = says as (...given: Parameters<typeof says>) => CallAnswer;

/** A run whose agent prints its key in every part of a reply, in pieces as it streams. */
async function tellingRun() {
  const secrets = new KnownSecrets();
  secrets.add('OPENAI_API_KEY', KEY);
  const journal = createMemoryJournal();
  const notes: string[] = [];
  const call = async (_: unknown, { onText }: CallOptions): Promise<CallReply> => {
    for (const letter of `my key is ${KEY}, so`) onText?.(letter);
    const reply = said(`my key is ${Buffer.from(KEY).toString('base64')}`, [
      { id: 'c1', name: 'note', arguments: { text: `it is ${KEY}` } },
    ]);
    return notes.length > 1
      ? says(KEY)
      : { ...reply, meta: { parts: [{ kind: 'reasoning', text: KEY, options: { signature: 'x' } }] } };
  };
  const world = { ...testWorld({ journal, answer: () => says(''), call, tools: [noteTool(notes)] }), secrets };
  const host = createEmbeddedHost(world);
  const live: string[] = [];
  host.onLive((event) => void live.push(event.kind === 'text' ? event.delta : JSON.stringify(event.record)));
  const run = await host.start({
    definition: coderReviewer(),
    input: { task: `use ${KEY}` },
    project: '.',
    title: KEY,
  });
  await host.rest(run);
  const [records, snapshot, info] = [await journal.read(run), await host.snapshot(run), await journal.run(run)];
  await host.shutdown();
  return { secrets, records, snapshot, notes, live: live.join(''), info };
}

test('[P8] a secret that an agent says is in no record, no live text and no tool call', async () => {
  const { secrets, records, notes, live, info } = await tellingRun();
  expect(records.some(({ fact }) => fact.kind === 'tool.finished')).toBe(true);
  expect(secrets.find(JSON.stringify([records, notes, info]))).toEqual([]);
  expect(secrets.find(live)).toEqual([]);
  expect(live).toContain(`my key is ${REDACTED}, so`);
  expect(notes[0]).toBe(`"it is ${REDACTED}"`);
});

test('[P8] the snapshot in memory is the fold of the redacted records', async () => {
  const { records, snapshot } = await tellingRun();
  expect(foldRecords(records)).toEqual(snapshot);
});

test('[P8] reasoning that was redacted is not sent back with a signature that no longer fits', async () => {
  const { records } = await tellingRun();
  const answered = records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [fact.message] : []));
  expect(answered.length).toBeGreaterThan(1);
  expect(answered.filter((message) => 'meta' in message)).toEqual([]);
});

test('[P8] the journal itself takes no secret, from any writer', async () => {
  const secrets = new KnownSecrets();
  secrets.add('OPENAI_API_KEY', KEY);
  const kept = createMemoryJournal();
  const journal = redactingJournal(kept, secrets);
  const body: Json = { prompt: `use ${KEY}` };
  expect(await kept.getBody(await journal.putBody(body))).toEqual({ prompt: `use ${REDACTED}` });
});

test('[P8] an answer that a process without the secret sent is redacted before the next driver decides on it', async () => {
  const secrets = new KnownSecrets();
  secrets.add('OPENAI_API_KEY', KEY);
  const journal = createMemoryJournal({ isAlive: () => false });
  const plain = testWorld({ journal, answer: () => says('') });
  const first = createEmbeddedHost(plain);
  const run = await first.start({ definition: asking('Which key?'), input: {}, project: '.' });
  await first.rest(run);
  await first.shutdown();
  await journal.send(run, { id: 'm1', at: 0, body: { kind: 'answer', question: 't1', answer: KEY, by: 'ada' } });
  const second = createEmbeddedHost({ ...plain, owner: 'second', secrets });
  await second.resume(run);
  await second.rest(run);
  const [records, snapshot] = [await journal.read(run), await second.snapshot(run)];
  await second.shutdown();
  expect(snapshot.result?.output).toBe(REDACTED);
  expect(secrets.find(JSON.stringify(records))).toEqual([]);
});

test('[P8] a secret in the stream of a client is in no record, no live text and no line that is kept', async () => {
  const secrets = new KnownSecrets();
  secrets.add('ANTHROPIC_API_KEY', KEY);
  const [journal, kept, live]: [Journal, string[], string[]] = [createMemoryJournal(), [], []];
  const call: Actor['call'] = async (_, { onText, onRaw, onActivity }) => {
    for (const piece of [`I have ${KEY.slice(0, 9)}`, KEY.slice(9, 20), `${KEY.slice(20)}.`]) onText?.(piece);
    onRaw?.(JSON.stringify({ type: 'assistant', text: `I have ${KEY}`, again: JSON.stringify({ KEY }) }));
    onActivity?.({ id: 'a1', kind: 'tool', name: 'Bash', status: 'ok', text: `echo ${encodeURIComponent(KEY)}` });
    return { ...said(`I have ${KEY}.`), denials: [`cat ${KEY}`] };
  };
  const client = { provider: 'test', choosesSession: true, canResume: true, canFork: false };
  const clients = { keepLine: ({ line }: { readonly line: string }) => void kept.push(line) };
  const world = { ...testWorld({ journal, answer: () => says(''), call, client, clients }), secrets };
  const host = createEmbeddedHost(world);
  host.onLive((event) => void live.push(event.kind === 'text' ? event.delta : ''));
  const definition = build({
    data: {},
    roles: { coder: {} },
    states: [work('start', turn('coder', "'Go.'"), [to('stop')]), end('stop', 'last_agent_response')],
  });
  const run = await host.start({ definition, input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const records = await journal.read(run);
  await host.shutdown();
  expect(kept).toHaveLength(1);
  expect(live.join('')).toBe(`I have ${REDACTED}.`);
  expect(records.some(({ fact }) => fact.kind === 'activity.noted')).toBe(true);
  expect(secrets.find(JSON.stringify([records, kept, live]))).toEqual([]);
});
