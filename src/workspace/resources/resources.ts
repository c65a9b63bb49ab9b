import type { Holder } from './claim.ts';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { workspacePlace } from '../run-place.ts';
import { claim, type Claim, holdMutex } from './claim.ts';
import { createServer } from 'node:net';
import { InTurn } from '../../lib/in-turn.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import { parseObject } from '../../core/model/json.ts';

/** Resources shared by all runs of this user; who has what stands in `<home>/leases`. */
export function createResources(options: ResourcesOptions): Resources {
  return {
    lease: (request) => leaseAll(options, request),
    hold: async (name, holder, { signal } = {}) => {
      const setting = options.settings[name];
      if (setting?.kind !== 'mutex') throw unknownResource(name, namesOf(options.settings, ['mutex']));
      const held = await holdMutex(join(options.home, 'leases', 'mutex', fileName(name)), holder, signal);
      return () => held.release();
    },
  };
}

export interface ResourcesOptions {
  readonly home: string;
  readonly settings: ResourceSettings;
}

type Kind = ResourceSettings[string]['kind'];

function namesOf(settings: ResourceSettings, kinds: readonly Kind[]): readonly string[] {
  return Object.keys(settings).filter((name) => kinds.some((kind) => settings[name]?.kind === kind));
}

/** A value can be longer than a file's name, or hold a slash. */
function fileName(value: string): string {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(value)
    ? value
    : `#${createHash('sha256').update(value).digest('hex')}`;
}

async function leaseAll(options: ResourcesOptions, request: Holder): Promise<ResourceLease> {
  const names = namesOf(options.settings, ['port', 'name', 'folder']);
  const memory = join(workspacePlace(options.home, request.root, request.workspace).kept, 'leases.json');
  const before = await readMemory(memory);
  const taken: Taken[] = [];
  try {
    for (const name of names) taken.push(await takeOne(options, request, { name, before: before[name] }));
  } catch (error) {
    await releaseAll(taken);
    throw error;
  }
  const values = Object.fromEntries(taken.map(({ name, value }) => [name, value]));
  if (taken.length > 0) await writeMemory(memory, { ...before, ...values });
  return leaseOf(taken, values);
}

function leaseOf(taken: readonly Taken[], values: ResourceLease['values']): ResourceLease {
  return {
    values,
    environment: Object.fromEntries(Object.entries(values).map(([name, value]) => [variableName(name), value])),
    folders: taken.filter(({ isFolder }) => isFolder).map(({ value }) => value),
    release: () => releaseAll(taken),
  };
}

interface Taken {
  readonly name: string;
  readonly value: string;
  readonly isFolder: boolean;
  readonly claim?: Claim;
}

async function releaseAll(taken: readonly Taken[]): Promise<void> {
  await Promise.all(taken.map(async ({ claim }) => await claim?.release()));
}

async function takeOne(
  options: ResourcesOptions,
  holder: Holder,
  wish: { readonly name: string; readonly before: string | undefined },
): Promise<Taken> {
  const setting = options.settings[wish.name];
  if (setting?.kind === 'port' || setting?.kind === 'name') {
    return await takeFirstFree(setting, {
      ...wish,
      root: holder.root,
      workspace: holder.workspace,
      home: options.home,
    });
  }
  const folder = join(workspacePlace(options.home, holder.root, holder.workspace).folders, fileName(wish.name));
  makeFolder(folder);
  return { name: wish.name, value: folder, isFolder: true };
}

interface LeaseWish extends Holder {
  readonly name: string;
  readonly before: string | undefined;
  readonly home: string;
}

async function takeFirstFree(setting: Countable, wish: LeaseWish): Promise<Taken> {
  const holders = new Set<string>();
  for (const value of candidatesFor(setting, wish)) {
    // By value and not by name, so that two names with overlapping ranges never get the same.
    const got = await claim(join(wish.home, 'leases', setting.kind, fileName(value)), wish);
    if (got.kind === 'taken') {
      if (got.by !== null) holders.add(`${got.by.root} (${got.by.workspace})`);
      continue;
    }
    if (setting.kind === 'name' || (await isFreePort(Number(value)))) {
      return { name: wish.name, value, isFolder: false, claim: got.claim };
    }
    holders.add(`another program (port ${value})`);
    await got.claim.release();
  }
  throw exhausted(wish.name, [...holders]);
}

function exhausted(name: string, holders: readonly string[]): Fault {
  const shown = holders.slice(0, 10).join(', ') + (holders.length > 10 ? ', …' : '');
  return new Fault(
    'RESOURCE_EXHAUSTED',
    `No free share is left of the resource "${name}"; held by: ${shown || 'no one'}.`,
    {
      hint: `Wait for one of them to end, or configure more under resources.${name}.`,
      facts: { name, holders },
    },
  );
}

function variableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** Only a wish for next time: damaged or lost, others are given. */
async function readMemory(path: string): Promise<Readonly<Record<string, string>>> {
  const memory = parseObject(await readFile(path, 'utf8').catch(() => ''));
  return (memory ?? {}) as Readonly<Record<string, string>>;
}

async function writeMemory(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  makeFolder(dirname(path), 0o700);
  await writeFile(path, `${JSON.stringify(values)}\n`, { mode: 0o600 });
}

/** The values a holder may get, in order: its earlier one, then those from its own position onwards. */
function candidatesFor(setting: Countable, wish: Wish): readonly string[] {
  const all = valuesOf(setting);
  const start = all.length === 0 ? 0 : placeOf(wish) % all.length;
  const inOrder = [...all.slice(start), ...all.slice(0, start)];
  const before = wish.before;
  if (before === undefined || !all.includes(before)) return inOrder;
  return [before, ...inOrder.filter((value) => value !== before)];
}

/** How many holders can have one at the same time. */
export const candidateCount = (setting: Countable): number => valuesOf(setting).length;

type Countable = Extract<ResourceSetting, { kind: 'port' | 'name' }>;

export interface Wish extends Holder {
  readonly name: string;
  readonly before?: string | undefined;
}

const valuesOf = (setting: Countable): readonly string[] => (setting.kind === 'port' ? ports(setting) : names(setting));

/** Below what systems give out by themselves. */
export const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const HIGHEST_PORT = 65_535;

function ports({ from = FIRST_PORT, to }: Extract<Countable, { kind: 'port' }>): readonly string[] {
  const last = to ?? Math.min(HIGHEST_PORT, Math.max(LAST_PORT, from + 999));
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => String(from + at));
}

function names({ pattern, count }: Extract<Countable, { kind: 'name' }>): readonly string[] {
  return Array.from({ length: count }, (_, at) => pattern.replaceAll('{n}', String(at + 1)));
}

/** Parallel holders begin at different places, and one that comes again at its own. */
function placeOf({ root, workspace, name }: Wish): number {
  return createHash('sha256')
    .update(JSON.stringify([root, workspace, name]))
    .digest()
    .readUInt32BE(0);
}

/** Whether the port is free now, also of unknown programs. */
async function isFreePort(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : '';
      // A machine without that kind of address has no listener on it.
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT');
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function unknownResource(name: string, known: readonly string[]): Fault {
  const ranked = known.map((other) => ({ other, distance: distance(name, other) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  const isNear = best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 3));
  const all = known.length === 0 ? 'No resources are configured.' : `Known: ${known.join(', ')}.`;
  return new Fault('RESOURCE_UNKNOWN', `There is no resource "${name}".`, {
    hint: isNear ? `Did you mean "${best.other}"?` : all,
    facts: { name, known },
  });
}

/** How many letters have to be added, removed or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const letter of from) {
    const next = [(row[0] ?? 0) + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/**
 * What is leased to the workspaces that this process works in: one lease a workspace, however often it is opened, until it is
 * released. Who opens while a release is under way waits for it, and so gets the same again.
 */
export class HeldLeases {
  readonly #resources: Resources;
  readonly #turns = new InTurn();
  /** Those who have a lease or are about to get one. */
  readonly #holders = new Map<string, Holder>();
  readonly #leases = new Map<string, ResourceLease>();

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  lease({ root, workspace }: Holder): Promise<ResourceLease> {
    const holder = { root, workspace: leaseHolder(workspace) };
    const key = keyOf(holder);
    this.#holders.set(key, holder);
    return this.#turns.run(key, async () => {
      const lease = this.#leases.get(key) ?? (await this.#resources.lease(holder));
      this.#leases.set(key, lease);
      return lease;
    });
  }

  /** Those of a root run, of one workspace, or all. */
  async release(which: Partial<Holder> = {}): Promise<void> {
    const { root, workspace } = which;
    const wanted = [...this.#holders].filter(
      ([, holder]) => holder.root === (root ?? holder.root) && holder.workspace === (workspace ?? holder.workspace),
    );
    await Promise.all(wanted.map(([key]) => this.#releaseOne(key)));
  }

  #releaseOne(key: string): Promise<void> {
    this.#holders.delete(key);
    return this.#turns.run(key, async () => {
      const lease = this.#leases.get(key);
      this.#leases.delete(key);
      await lease?.release();
    });
  }
}

const keyOf = ({ root, workspace }: Holder): string => `${root} ${workspace}`;

/**
 * Workspaces that the engine makes for a moment stand in for the main one, whose tests need the same database: with one of
 * their own a run would need twice of everything.
 */
function leaseHolder(workspace: string): string {
  return /^(?:throwaway|merge\.check\.[0-9a-f]+|(?:.*\.)?scratch)$/.test(workspace) ? MAIN_WORKSPACE : workspace;
}

/** Things beside files that only one may use at a time: `resources` in the configuration, by name. */
export type ResourceSettings = Readonly<Record<string, ResourceSetting>>;

type ResourceSetting =
  /** A free port of this machine. */
  | { readonly kind: 'port'; readonly from?: number; readonly to?: number }
  /** One of `count` things that exist already, such as databases: `{n}` in the pattern counts from 1. */
  | { readonly kind: 'name'; readonly pattern: string; readonly count: number }
  /** Its own folder. */
  | { readonly kind: 'folder' }
  /** Not leased for long, but held for a moment. */
  | { readonly kind: 'mutex' };

export interface Resources {
  /** Different holders get different ones, in every process of this user; the same holder gets the same again when it is free. */
  lease(holder: Holder): Promise<ResourceLease>;
  /** Waits for its turn. The function that comes back gives the turn away. */
  hold(mutex: string, holder: Holder, options?: { readonly signal?: AbortSignal }): Promise<() => Promise<void>>;
}

export interface ResourceLease {
  readonly values: Readonly<Record<string, string>>;
  /** The same for commands: `web_port` is `WEB_PORT`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders among them, to be seen by commands. */
  readonly folders: readonly string[];
  release(): Promise<void>;
}
