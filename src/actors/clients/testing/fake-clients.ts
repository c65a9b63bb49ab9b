import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Activity } from '../../../core/record/agent-fact.ts';
import type { Sandbox } from '../../../sandbox/port.ts';
import { placeBeside, testSandbox } from '../../../tools/testing/test-sandbox.ts';
import { sampleRequest } from '../../actor.contract.ts';
import type { Actor, CallOptions, CallReply, CallRequest, ClientOrder } from '../../port.ts';

/** Shell scripts that play a client, each in its own folder, for the tests of one file. */
export interface FakeClients<Options> {
  /** Gone when the tests are over. */
  readonly root: string;
  readonly make: (body: string, change?: FakeCall<Options>) => FakeClient;
  /** Makes one and calls it once. */
  readonly callFake: (body: string, change?: FakeCall<Options>) => Promise<FakeReport & { readonly folder: string }>;
}

/** Differences from the default. */
export interface FakeCall<Options> {
  readonly order?: Partial<ClientOrder>;
  readonly actor?: Partial<Options>;
  readonly request?: Partial<CallRequest>;
  readonly options?: Partial<CallOptions>;
}

export interface FakeClient {
  readonly folder: string;
  /** Where it works; its home is `agents`, next to it. */
  readonly work: string;
  readonly call: () => Promise<FakeReport>;
}

/** Everything that a call reported. */
export interface FakeReport {
  readonly reply: CallReply;
  readonly activities: readonly Activity[];
  readonly sessions: readonly string[];
}

/** Options of an actor in these tests. */
export interface FakeProgram {
  readonly program: string;
  readonly openSandbox: () => Promise<Sandbox>;
  /** Of a user who has nothing. */
  readonly environment: NodeJS.ProcessEnv;
}

export function fakeClients<Options>(
  name: string,
  actorOf: (fake: FakeProgram, change: Partial<Options>) => Actor,
): FakeClients<Options> {
  const openSandbox = testSandbox();
  const root = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const make = (body: string, change: FakeCall<Options> = {}): FakeClient => {
    const folder = mkdtempSync(join(root, 'c-'));
    const [program, work] = [join(folder, 'client'), join(folder, 'work')];
    writeFileSync(program, `#!/bin/sh\n${body}\n`);
    chmodSync(program, 0o755);
    mkdirSync(work);
    const environment = { PATH: '/usr/bin:/bin', HOME: join(folder, 'nobody') };
    const actor = actorOf({ program, openSandbox, environment }, change.actor ?? {});
    return { folder, work, call: () => callOnce(actor, folder, change) };
  };
  const callFake: FakeClients<Options>['callFake'] = async (body, change) => {
    const fake = make(body, change);
    return { ...(await fake.call()), folder: fake.folder };
  };
  return { root, make, callFake };
}

async function callOnce(actor: Actor, folder: string, change: FakeCall<unknown>): Promise<FakeReport> {
  const client: ClientOrder = {
    place: placeBeside(join(folder, 'work')),
    mode: 'write',
    network: false,
    session: { how: 'new', id: actor.client?.choosesSession === true ? randomUUID() : null },
    unheard: [{ role: 'user', content: 'Go.' }],
    desk: null,
    home: join(folder, 'agents'),
    limits: { idleMs: 60_000, wallMs: 60_000 },
    ...change.order,
  };
  const activities: Activity[] = [];
  const sessions: string[] = [];
  const reply = await actor.call(sampleRequest({ client, ...change.request }), {
    signal: new AbortController().signal,
    onActivity: (activity) => activities.push(activity),
    onSession: async (id) => void sessions.push(id),
    ...change.options,
  });
  return { reply, activities, sessions };
}
