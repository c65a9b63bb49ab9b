import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { sampleRequest } from '../../src/actors/actor.contract.ts';
import type {
  Actor,
  CallOptions,
  CallReply,
  CallRequest,
  ClientLimits,
  ClientOrder,
  ClientProbe,
  PermissionReply,
  PermissionRequest,
} from '../../src/actors/port.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { Activity } from '../../src/core/record/agent-fact.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { placeBeside, testSandbox } from '../../src/tools/testing/test-sandbox.ts';
import type { FoundClient } from './find-client.ts';

/** A model on loopback and folders to work in, for the tests of one file. */
export interface ClientRig {
  readonly url: () => string;
  readonly server: () => ScriptedServer;
  readonly openSandbox: () => Promise<Sandbox>;
  /** A separate folder for a test: `work` and `agents` are in it. */
  readonly place: () => Place;
}

export interface Place {
  /** What is around both. */
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  order(prompt: string, change?: Partial<ClientOrder>): ClientOrder;
}

export function clientRig(client: FoundClient, rules: readonly unknown[] = []): ClientRig {
  let server: ScriptedServer | null = null;
  let root = '';
  const parsed = parseScenario(rules);
  beforeAll(async () => {
    // The sandbox that Codex brings along has its own /dev, and so none of the files in memory.
    root = mkdtempSync(join(tmpdir().startsWith('/dev/') ? '/var/tmp' : tmpdir(), 'troupe-clients-'));
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
    root,
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

/** A prompt that tells the model on loopback what to answer. */
export const script = (prompt: string, steps: readonly unknown[]): string =>
  `${prompt}\n\`\`\`troupe-script\n${JSON.stringify(steps)}\n\`\`\``;

/** More steps than any client takes in its grace time. */
export const STEPS = 2000;

export const wentOn = (tool: object): readonly object[] => Array.from({ length: STEPS }, () => ({ tools: [tool] }));

/** What a user of Claude Code has set, with the model on loopback as its endpoint. */
export const anthropicUser = (rig: ClientRig) => ({
  PATH: process.env['PATH'],
  ANTHROPIC_API_KEY: 'sk-test-0123456789',
  ANTHROPIC_BASE_URL: rig.url(),
  SECRET_OF_THE_USER: 'nobody may see this',
});

/** What the model says to a sub-agent that is to look around. */
export const lookAround = (tool: object) => ({
  when: { contains: 'Look around' },
  steps: [{ say: 'I look.', tools: [tool] }, 'I saw it all.'],
});

/** A command that writes down who can be reached: the endpoint, and somebody else on loopback. */
export async function knocking(rig: ClientRig): Promise<string> {
  const other = await startScriptedServer({});
  onTestFinished(() => other.close());
  return `(${knock('endpoint', rig.url())}; ${knock('other', other.url)}) > reached.txt`;
}

const knock = (name: string, url: string): string =>
  `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${new URL(url).port}' 2>/dev/null && echo ${name} open || echo ${name} closed`;

/** A call, with all its reports. */
export async function callWith(
  actor: Actor,
  client: ClientOrder,
  { request = {}, options = {} }: { request?: Partial<CallRequest>; options?: Partial<CallOptions> } = {},
): Promise<CallReport> {
  const reports = { activities: new Map<string, Activity>(), lines: [] as string[], text: '' };
  const reply = await actor.call(sampleRequest({ client, ...request }), {
    signal: new AbortController().signal,
    onActivity: (activity) => reports.activities.set(activity.id, activity),
    onRaw: (line) => reports.lines.push(line),
    onText: (delta) => (reports.text += delta),
    ...options,
  });
  return { ...reports, reply, activities: [...reports.activities.values()] };
}

export interface CallReport {
  readonly reply: CallReply;
  readonly activities: readonly Activity[];
  readonly lines: readonly string[];
  readonly text: string;
}

/** A person who always says the same, and what was asked. */
export function deciding(isAllowed: boolean) {
  const asked: PermissionRequest[] = [];
  const onPermission = async (request: PermissionRequest): Promise<PermissionReply> => {
    asked.push(request);
    return isAllowed ? { isAllowed } : { isAllowed, message: 'Not today.' };
  };
  return { asked, onPermission };
}

/** A client that falls silent until it is stopped for it; with more patience where a busy machine had not let it begin. */
export async function untilStuck(call: (limits: ClientLimits) => Promise<CallReport>): Promise<CallReport> {
  for (let idleMs = 2500; ; idleMs *= 4) {
    const reports = await call({ idleMs, wallMs: 150_000 });
    if (idleMs > 30_000 || (reports.reply.kind === 'failed' && reports.reply.spent !== undefined)) return reports;
  }
}

/** A call to an actor that brings its own order along, for the contract of actors. */
export function ordering(actor: Actor, order: () => ClientOrder): Actor {
  return { ...actor, call: (request, options) => actor.call({ ...request, client: order() }, options) };
}

/** The report on a client that is installed, and logged in by this. */
export const ready = ({ kind, login }: Pick<ClientProbe, 'kind' | 'login'>) => ({
  kind,
  isFound: true,
  version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown,
  isLoggedIn: true,
  login,
});

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
