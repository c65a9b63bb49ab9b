import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../core/record/fact.ts';
import { runId, taskId, type BodyHash } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { SentRequest } from '../../core/record/sent-request.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { StoredRecord } from '../../journal/port.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { RecentRequests } from './recent-requests.ts';
import { SentLog, type LeavingRequest } from './sent-log.ts';
import { SentReader } from './sent-reader.ts';

const TASK = taskId('code#1');
const SHARED = `# How this team works\n\n${'One agent works on this task. '.repeat(20)}`;
const TOOLS = [{ name: 'read_file', description: 'Reads a "file".', input_schema: { type: 'object' } }];

/** A run whose records are kept as the journal would, with what writes and reads its requests. */
function rig(secrets?: KnownSecrets) {
  const journal = createMemoryJournal();
  const records: StoredRecord[] = [];
  const recent = new RecentRequests();
  const read = async (): Promise<readonly StoredRecord[]> => records;
  const putBody = (body: Json): Promise<BodyHash> => journal.putBody(body);
  const place = { run: runId('run'), journal: { read, putBody }, secrets, recent };
  let log = new SentLog(place);
  const add = (fact: Fact): void => {
    const seq = records.length + 1;
    const record = { seq, at: 0, commit: seq, fact: JSON.parse(JSON.stringify(fact)) as Fact };
    records.push(record);
    log.take([record]);
  };
  const answer = (sent: SentRequest, content = ''): void =>
    add({
      kind: 'call.answered',
      task: TASK,
      call: 1,
      attempt: 1,
      message: { author: 'coder', role: 'assistant', content },
      usage: NO_USAGE,
      costUsd: 0,
      model: 'm',
      ms: 0,
      sent,
    });
  const send = async (text: string, messages: readonly SeenMessage[] = []): Promise<SentRequest> => {
    const request: LeavingRequest = {
      task: TASK,
      agent: 'coder',
      provider: 'anthropic',
      tokens: 1,
      window: null,
      text,
      texts: [SHARED],
      messages,
    };
    const sent = await log.note(request);
    if (sent === undefined) throw new Error('It was not noted.');
    return sent;
  };
  /** Another process continues the run. */
  const resume = (): void => {
    log = new SentLog({ ...place, recent: new RecentRequests() });
  };
  const readAgain = (sent: SentRequest): Promise<string | null> => new SentReader(journal, records).read(sent);
  return { add, answer, send, read: readAgain, resume, records };
}

const bodyOf = (messages: readonly SeenMessage[]): string =>
  JSON.stringify({ model: 'm', system: SHARED, messages, tools: TOOLS, stream: true });

const message: fc.Arbitrary<SeenMessage> = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('"tools":[', '\\"', '\u{1f600}'.repeat(80), '\ud83d', 'a "quoted" line\n'.repeat(30), SHARED),
  ),
});

test('[A3] every request is read again byte for byte, whatever it holds, also by a process that took the run over', async () => {
  const steps = fc.array(
    fc.record({
      messages: fc.array(message, { maxLength: 6 }),
      isKnown: fc.boolean(),
      isResumed: fc.boolean(),
      isNew: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const { add, answer, send, read, resume } = rig();
      const sent: (readonly [string, SentRequest])[] = [];
      let conversation: readonly SeenMessage[] = [];
      for (const { messages, isKnown, isResumed, isNew } of played) {
        conversation = isNew ? messages : [...conversation, ...messages];
        if (isKnown)
          for (const { content } of messages)
            add({ kind: 'message.added', context: 'c', message: { author: 'workflow', role: 'user', content } });
        const text = bodyOf(conversation);
        const noted = await send(text, conversation);
        answer(noted);
        sent.push([text, noted]);
        if (isResumed) resume();
      }
      for (const [text, noted] of sent) expect(await read(noted)).toBe(text.toWellFormed());
    }),
    { numRuns: 200 },
  );
});

test('[A3] a request that is not in the journal is never referenced by a later one', async () => {
  const { answer, send, read } = rig();
  const text = bodyOf([{ role: 'user', content: 'Count. '.repeat(100) }]);
  await send(text);
  const again = await send(text);
  answer(again);
  expect(again.like).toBeUndefined();
  expect(await read(again)).toBe(text);
});

test('[A3] a known secret is masked before a request is written down', async () => {
  const secrets = new KnownSecrets();
  secrets.add('MY_KEY', 'sk-verysecretkey-0123456789');
  const { answer, send, read, records } = rig(secrets);
  const text = bodyOf([{ role: 'user', content: 'The key is sk-verysecretkey-0123456789, use it.' }]);
  const sent = await send(text);
  answer(sent);
  expect(JSON.stringify(records)).not.toContain('verysecret');
  expect(await read(sent)).toBe(text.replace('sk-verysecretkey-0123456789', '[redacted]'));
});

test('[A3] a masked secret before marks for the cache leaves them at their places', async () => {
  const secrets = new KnownSecrets();
  secrets.add('MY_KEY', 'sk-verysecretkey-0123456789');
  const { answer, send, read, records } = rig(secrets);
  const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
  const system = [marked(`${SHARED}The key is sk-verysecretkey-0123456789.`)];
  const texts = ['One.', 'Two.', 'Three.'];
  for (const count of [1, 2, 3]) {
    const said = texts.slice(0, count).map((text) => ({ type: 'text', text }));
    const messages = [...said.slice(0, -1), marked(texts[count - 1] ?? '')].map((part) => ({
      role: 'user',
      content: [part],
    }));
    const text = JSON.stringify({ model: 'm', system, messages, tools: TOOLS });
    const sent = await send(text);
    answer(sent);
    expect(await read(sent)).toBe(text.replace('sk-verysecretkey-0123456789', '[redacted]'));
    // Text masked in the earlier request is not written again.
    expect(JSON.stringify(sent).includes('The key is')).toBe(count === 1);
  }
  expect(JSON.stringify(records)).not.toContain('verysecret');
});

test('[A3] a turn of 40 calls records only what is new, and no text that its records hold', async () => {
  const { add, answer, send, read, records } = rig();
  const conversation: SeenMessage[] = [];
  const sent: SentRequest[] = [];
  for (let call = 1; call <= 40; call += 1) {
    const content = `file ${call}\n${'some words of code\n'.repeat(400)}`;
    add({ kind: 'tool.finished', task: TASK, toolCall: `c${call}`, content, isError: false, ms: 0 });
    conversation.push({ role: 'user', content });
    const noted = await send(bodyOf(conversation), conversation);
    answer(noted, `I read file ${call}.`);
    sent.push(noted);
    conversation.push({ role: 'assistant', content: `I read file ${call}.` });
  }
  const last = sent.at(-1);
  expect(last === undefined ? null : await read(last)).toBe(bodyOf(conversation.slice(0, -1)));
  const [own, all] = [JSON.stringify(sent).length, JSON.stringify(records).length];
  expect(own / all).toBeLessThan(0.05);
});

test('[A3] a request whose beginning is not in the journal is not shown as what left', async () => {
  const { answer, send, records } = rig();
  const [first, second] = [
    bodyOf([{ role: 'user', content: 'One.' }]),
    bodyOf([{ role: 'user', content: 'One. Two.' }]),
  ];
  answer(await send(first));
  const sent = await send(second);
  answer(sent);
  expect(sent.like).toBeDefined();
  expect(await new SentReader(createMemoryJournal(), records.slice(1)).read(sent)).toBeNull();
});
