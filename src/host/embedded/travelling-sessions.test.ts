import { expect, onTestFinished, test } from 'vitest';
import type { ClientTraits } from '../../actors/port.ts';
import type { KeptConversation } from '../../core/record/agent-fact.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { talk } from '../clients.contract.ts';
import type { Host } from '../port.ts';
import type { BroughtConversation, Conversations, World } from '../world.ts';
import { dyingJournal } from '../testing/dying-journal.ts';
import { says, testWorld, type TestWorldOptions } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const TRAITS: ClientTraits = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };

/** Records its requests, and answers as configured. */
function conversations(brought: BroughtConversation = { kind: 'here' }) {
  const asked: unknown[] = [];
  let count = 0;
  const port: Conversations = {
    keep: async ({ session }, redact) => {
      count += 1;
      asked.push(['keep', session, redact('a s3cret-value-91f0')]);
      return { body: `body-${count}`, bytes: count };
    },
    bring: async ({ session, folder }, kept) => {
      asked.push(['bring', session, folder, kept?.body ?? null]);
      return brought;
    },
  };
  return { asked, port };
}

function machine(
  journal: Journal,
  port: Conversations,
  options: Partial<TestWorldOptions> = {},
): { readonly host: Host; readonly world: World & ReturnType<typeof testWorld> } {
  const made = testWorld({
    journal,
    client: TRAITS,
    answer: ({ visit }) => says(`answer ${visit}`),
    clients: { conversations: port },
    ...options,
  });
  const secrets = new KnownSecrets();
  secrets.add('TOKEN', 's3cret-value-91f0');
  const world = { ...made, secrets };
  const host = createEmbeddedHost(world);
  // One whose process has died writes nothing more.
  if (!('died' in journal)) onTestFinished(() => host.shutdown());
  return { host, world };
}

test('[U8] [Q4] after each call the conversation is stored, without secrets, and the journal names it with the answer', async () => {
  const journal = createMemoryJournal();
  const { asked, port } = conversations();
  const { host } = machine(journal, port);
  const run = await host.start({ definition: talk(2), input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked).toEqual([
    ['keep', 'session-1', 'a [redacted]'],
    ['bring', 'session-1', '.', 'body-1'],
    ['keep', 'session-1', 'a [redacted]'],
  ]);
  const facts = (await journal.read(run)).filter(({ fact }) => ['session.kept', 'call.answered'].includes(fact.kind));
  const kept = { kind: 'session.kept', agent: 'coder', session: 'session-1' };
  expect(facts.map(({ fact }) => fact)).toMatchObject([
    { ...kept, conversation: { body: 'body-1', bytes: 1 } },
    { kind: 'call.answered' },
    { ...kept, conversation: { body: 'body-2', bytes: 2 } },
    { kind: 'call.answered' },
  ]);
  const commits = facts.map(({ commit }) => commit);
  expect(commits[0]).toBe(commits[1]);
  expect((await host.snapshot(run)).sessions['coder']).toMatchObject({ kept: { body: 'body-2', bytes: 2 } });
});

test('[U8] [Q4] another machine continues the stored session, and the client learns its new folder', async () => {
  const journal = createMemoryJournal();
  const dying = dyingJournal(journal, { afterAppends: 3 });
  const first = machine(dying, conversations().port);
  const run = await first.host.start({ definition: talk(2), input: {}, project: '.' });
  await dying.died;
  const { asked, port } = conversations({ kind: 'brought', folder: '/there/work' });
  const { host, world } = machine(journal, port);
  await host.resume(run);
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked[0]).toEqual(['bring', 'session-1', '.', 'body-1']);
  const [call] = world.calls;
  expect(call?.client?.session).toEqual({ how: 'resumed', id: 'session-1' });
  // Not that the engine stopped: the stored conversation knows nothing of a second turn.
  expect(call?.client?.unheard.map(({ content }) => content)).toEqual([expect.stringContaining('/there/work'), 'go 2']);
});

test('[U8] [Q5] an unavailable conversation is followed by a new one, which receives everything', async () => {
  const journal = createMemoryJournal();
  const { port } = conversations({ kind: 'gone' });
  const { host, world } = machine(journal, port);
  const run = await host.start({ definition: talk(2), input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(world.calls.map(({ client }) => client?.session.how)).toEqual(['new', 'new']);
  const sent = world.calls[1]?.client?.unheard.map(({ content }) => content);
  expect(sent).toEqual(['go 1', 'answer 1', 'go 2']);
});

test('[U8] an answer counts also where its conversation could not be stored, and an older one is not gone on with', async () => {
  const journal = createMemoryJournal();
  const { port, asked } = conversations();
  let count = 0;
  const keep = async (): Promise<KeptConversation> => {
    count += 1;
    if (count === 2) throw new Error('the store is away');
    return { body: `body-${count}`, bytes: 1 };
  };
  const { host } = machine(journal, { ...port, keep });
  const run = await host.start({ definition: talk(3), input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect(asked).toEqual([
    ['bring', 'session-1', '.', 'body-1'],
    ['bring', 'session-1', '.', null],
  ]);
});

test('[U8] a machine that is alone stores nothing', async () => {
  const journal = createMemoryJournal();
  const { host } = machine(journal, conversations().port, { clients: {} });
  const run = await host.start({ definition: talk(2), input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok' });
  const kinds = (await journal.read(run)).map(({ fact }) => fact.kind);
  expect(kinds.filter((kind) => kind.startsWith('session.'))).toEqual(['session.noted', 'session.noted']);
});
