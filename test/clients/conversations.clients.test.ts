import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createClaudeActor } from '../../src/actors/clients/claude/claude-actor.ts';
import { createCodexActor } from '../../src/actors/clients/codex/codex-actor.ts';
import type { Actor, SessionOrder } from '../../src/actors/port.ts';
import { sharedConversations } from '../../src/app/clients/shared-conversations.ts';
import type { KeptConversation } from '../../src/core/record/agent-fact.ts';
import { KnownSecrets } from '../../src/secrets/known-secrets.ts';
import { openFolderStore } from '../../src/workspace/travel/folder-store.ts';
import { getBlob } from '../../src/workspace/travel/packed-body.ts';
import type { SharedStore } from '../../src/workspace/travel/port.ts';
import { anthropicUser, callWith, type ClientRig, clientRig, type Place } from './client-rig.ts';
import { findClient, type FoundClient } from './find-client.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const SECRET = 'sk-live-5f0c2b7e9a1d4836';

interface Travelling {
  readonly kind: string;
  readonly client: FoundClient;
  readonly actor: (rig: ClientRig) => Actor;
  readonly first: () => SessionOrder;
}

const CLIENTS: readonly Travelling[] = [
  {
    kind: 'claude-code',
    client: findClient('claude'),
    actor: (rig) =>
      createClaudeActor({
        program: findClient('claude').program,
        openSandbox: rig.openSandbox,
        environment: anthropicUser(rig),
      }),
    first: () => ({ how: 'new', id: randomUUID() }),
  },
  {
    kind: 'codex',
    client: findClient('codex'),
    actor: (rig) =>
      createCodexActor({
        program: findClient('codex').program,
        openSandbox: rig.openSandbox,
        environment: {
          PATH: process.env['PATH'],
          OPENAI_API_KEY: 'sk-test-0123456789',
          OPENAI_BASE_URL: `${rig.url()}/v1`,
        },
      }),
    first: () => ({ how: 'new', id: null }),
  },
];

for (const { kind, client, actor, first } of CLIENTS) {
  describe.skipIf(client.isMissing)(`conversations of the real client ${client.title}`, () => {
    const rig = clientRig(client);

    const open = async (): Promise<SharedStore> => openFolderStore(mkdtempSync(join(rig.place().root, 'shared-')));

    /** A machine on which the agent has a home and nothing in it. */
    const machine = (): Place => {
      const place = rig.place();
      mkdirSync(place.home);
      return place;
    };

    /** One turn on the machine of a place; the id of its conversation. */
    const turn = async (place: Place, prompt: string, session: SessionOrder): Promise<string> => {
      let id = session.id ?? '';
      const { reply } = await callWith(actor(rig), place.order(prompt, { session }), {
        options: { onSession: async (noted) => void (id = noted) },
      });
      expect(reply).toMatchObject({ kind: 'answered', content: `Done: ${prompt}` });
      return id;
    };
    const at = ({ home, folder }: Place, session: string) => ({ kind, home, session, folder });
    const lastRequest = (): string => JSON.stringify(rig.server().requests.at(-1)?.body);

    test('[U8] [Q4] go on in the same session on another machine, in another folder, after the first one is gone', async () => {
      const conversations = sharedConversations(await open());
      const [here, there] = [machine(), machine()];
      const id = await turn(here, 'Remember the word heron.', first());
      const kept = await conversations.keep(at(here, id), String);
      expect(kept).toMatchObject({
        body: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
        bytes: expect.any(Number) as unknown,
      });
      rmSync(here.root, { recursive: true });
      expect(await conversations.bring(at(there, id), kept)).toEqual({ kind: 'brought', folder: here.folder });
      expect(await turn(there, 'Say the word.', { how: 'resumed', id })).toBe(id);
      expect(lastRequest()).toContain('Remember the word heron.');
      expect(lastRequest()).toContain('Say the word.');
    });

    test('[U8] [Q4] come back to a machine that has an older state of it', async () => {
      const conversations = sharedConversations(await open());
      const [here, there] = [machine(), machine()];
      const id = await turn(here, 'The first turn.', first());
      const one = await conversations.keep(at(here, id), String);
      await conversations.bring(at(there, id), one);
      await turn(there, 'The second turn.', { how: 'resumed', id });
      const two = await conversations.keep(at(there, id), String);
      expect(await conversations.bring(at(here, id), two)).toEqual({ kind: 'brought', folder: there.folder });
      await turn(here, 'The third turn.', { how: 'resumed', id });
      const times = (words: string): number => lastRequest().split(words).length - 1;
      expect(['Done: The first turn.', 'Done: The second turn.', 'The third turn.'].map(times)).toEqual([1, 1, 1]);
      // Nothing has to travel where the newest one is.
      const three = await conversations.keep(at(here, id), String);
      expect(await conversations.bring(at(here, id), three)).toEqual({ kind: 'here' });
      // Nor where a turn was cut off on top of it.
      await turn(here, 'A turn that is not kept.', { how: 'resumed', id });
      expect(await conversations.bring(at(here, id), three)).toEqual({ kind: 'here' });
    });

    test('[S1] hold no secret, no login and no settings in what is stored', async () => {
      const shared = await open();
      const secrets = new KnownSecrets();
      secrets.add('TOKEN', SECRET);
      const here = machine();
      const id = await turn(here, `Never say ${SECRET} aloud.`, first());
      writeFileSync(join(here.home, '.claude.json'), 'a login');
      const conversations = sharedConversations(shared);
      const kept = await conversations.keep(at(here, id), (text) => secrets.redact(text));
      const body = (await getBlob(shared, kept?.body ?? '')).toString('utf8');
      const { files } = JSON.parse(body) as { files: readonly { path: string }[] };
      expect(files.map(({ path }) => path)).toEqual([expect.stringMatching(new RegExp(`${id}\\.jsonl$`))]);
      for (const hidden of [SECRET, 'sk-test-0123456789', 'a login']) expect(body).not.toContain(hidden);
      expect(body).toContain('Never say [redacted] aloud.');
      const there = machine();
      await conversations.bring(at(there, id), kept);
      await turn(there, 'Go on.', { how: 'resumed', id });
      expect(lastRequest()).toContain('Never say [redacted] aloud.');
    });

    test('[Q5] a conversation that is nowhere to be had is reported as gone', async () => {
      const shared = await open();
      const conversations = sharedConversations(shared);
      const there = machine();
      const lost: KeptConversation = { body: '0'.repeat(40), bytes: 1 };
      expect(await conversations.bring(at(there, randomUUID()), lost)).toEqual({ kind: 'gone' });
      expect(await conversations.bring(at(there, randomUUID()), null)).toEqual({ kind: 'gone' });
      expect(await conversations.keep(at(there, randomUUID()), String)).toBeNull();
    });
  });
}
