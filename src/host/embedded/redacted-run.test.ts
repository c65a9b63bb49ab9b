import { expect, test } from 'vitest';
import type { CallAnswer, CallOptions, CallReply } from '../../actors/port.ts';
import { foldRecords } from '../../core/fold.ts';
import type { Json } from '../../core/json.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import { redactingJournal } from '../../journal/redacting-journal.ts';
import { KnownSecrets, REDACTED } from '../../secrets/known-secrets.ts';
import { coderReviewer, noteTool } from '../testing/coder-reviewer.ts';
import { says, testWorld } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const KEY = 'sk-9fK2mQ7xW4bT8vR1cL6nD3hJ5gS0';

const said = says as (...given: Parameters<typeof says>) => CallAnswer;

/** A run whose agent says its key in every way that a reply has, in pieces as it streams. */
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

test('[P8] what is kept in memory is the fold of the redacted records', async () => {
  const { records, snapshot } = await tellingRun();
  expect(foldRecords(records)).toEqual(snapshot);
});

test('[P8] reasoning that was redacted is not sent back with a signature that no longer fits', async () => {
  const { records } = await tellingRun();
  const answered = records.flatMap(({ fact }) => (fact.kind === 'call.answered' ? [fact.message] : []));
  expect(answered.length).toBeGreaterThan(1);
  expect(answered.filter((message) => 'meta' in message)).toEqual([]);
});

test('[P8] the journal itself takes no secret, whoever writes it', async () => {
  const secrets = new KnownSecrets();
  secrets.add('OPENAI_API_KEY', KEY);
  const kept = createMemoryJournal();
  const journal = redactingJournal(kept, secrets);
  const body: Json = { prompt: `use ${KEY}` };
  expect(await kept.getBody(await journal.putBody(body))).toEqual({ prompt: `use ${REDACTED}` });
});
