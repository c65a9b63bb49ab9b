import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { sampleRequest } from '../../src/actors/actor.contract.ts';
import type { ClientOrder } from '../../src/actors/client-port.ts';
import type { Actor, CallOptions, CallReply, CallRequest } from '../../src/actors/port.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { Activity } from '../../src/core/agent-fact.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { placeBeside, testSandbox } from '../../src/tools/test-sandbox.ts';
import type { FoundClient } from './find-client.ts';

/** A model on loopback and folders to work in, for the tests of one file. */
export interface ClientRig {
  readonly url: () => string;
  readonly server: () => ScriptedServer;
  readonly openSandbox: () => Promise<Sandbox>;
  /** A folder of its own for a test: `work` and `agents` are in it. */
  readonly place: () => Place;
}

export interface Place {
  readonly folder: string;
  readonly home: string;
  order(prompt: string, change?: Partial<ClientOrder>): ClientOrder;
}

export function clientRig(client: FoundClient, rules: readonly unknown[] = []): ClientRig {
  let server: ScriptedServer | null = null;
  let root = '';
  const parsed = parseScenario(rules);
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'troupe-clients-'));
    if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
    server = await startScriptedServer({ scenario: parsed.scenario });
  });
  afterAll(async () => {
    await server?.close();
    if (root !== '') rmSync(root, { recursive: true, force: true });
  });
  const running = (): ScriptedServer => {
    if (server === null) throw new Error('The model is not up yet.');
    return server;
  };
  return {
    url: () => running().url,
    server: running,
    place: () => newPlace(mkdtempSync(join(root, 'p-'))),
    // Tests that are skipped leave nothing behind, not even an empty folder.
    openSandbox: client.isMissing ? () => Promise.reject(new Error('There is no client.')) : testSandbox(),
  };
}

function newPlace(root: string): Place {
  const [folder, home] = [join(root, 'work'), join(root, 'agents')];
  mkdirSync(folder);
  return {
    folder,
    home,
    order: (prompt, change = {}) => ({
      place: placeBeside(folder),
      mode: 'write',
      network: false,
      session: { how: 'new', id: randomUUID() },
      unheard: [{ role: 'user', content: prompt }],
      desk: null,
      home,
      limits: { idleMs: 60_000, wallMs: 120_000 },
      ...change,
    }),
  };
}

/** A command that says whether somebody can be reached there. */
export const knock = (name: string, url: string): string =>
  `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${new URL(url).port}' 2>/dev/null && echo ${name} open || echo ${name} closed`;

/** A call, with all that was told on the way. */
export async function callWith(
  actor: Actor,
  client: ClientOrder,
  { request = {}, options = {} }: { request?: Partial<CallRequest>; options?: Partial<CallOptions> } = {},
): Promise<Told> {
  const told = { activities: new Map<string, Activity>(), lines: [] as string[], text: '' };
  const reply = await actor.call(sampleRequest({ client, ...request }), {
    signal: new AbortController().signal,
    onActivity: (activity) => told.activities.set(activity.id, activity),
    onRaw: (line) => told.lines.push(line),
    onText: (delta) => (told.text += delta),
    ...options,
  });
  return { ...told, reply, activities: [...told.activities.values()] };
}

export interface Told {
  readonly reply: CallReply;
  readonly activities: readonly Activity[];
  readonly lines: readonly string[];
  readonly text: string;
}

/** A call to an actor that brings its own order along, for the contract of actors. */
export function ordering(actor: Actor, order: () => ClientOrder): Actor {
  return { ...actor, call: (request, options) => actor.call({ ...request, client: order() }, options) };
}

/** The processes whose command line holds these words. */
export function processesWith(words: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(words))
    .map(Number);
}

/** Whether the process is this program itself. */
export const isRunning = (program: string, pid: number): boolean => commandLine(String(pid)).startsWith(program);

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Looks again and again until it holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10);
}
