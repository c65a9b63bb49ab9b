import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { workspacePlace } from '../run-place.ts';
import { candidatesFor } from './candidates.ts';
import type { Countable } from './candidates.ts';
import { claim } from './claim.ts';
import type { Claim } from './claim.ts';
import { isFreePort } from './free-port.ts';
import { holdMutex } from './hold-mutex.ts';
import type { Holder, ResourceLease, LeaseRequest, Resources, ResourceSettings } from './port.ts';
import { unknownResource } from './unknown-resource.ts';

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

async function leaseAll(options: ResourcesOptions, request: LeaseRequest): Promise<ResourceLease> {
  const leasable = namesOf(options.settings, ['port', 'name', 'folder']);
  const names = request.names ?? leasable;
  const unknown = names.find((name) => !leasable.includes(name));
  if (unknown !== undefined) throw unknownResource(unknown, leasable);
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
  return new Fault('RESOURCE_EXHAUSTED', `Nothing is left of the resource "${name}"; held by: ${shown || 'nobody'}.`, {
    hint: `Wait for one of them to end, or configure more under resources.${name}.`,
    facts: { name, holders },
  });
}

function variableName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** Only a wish for next time: damaged or lost, others are given. */
async function readMemory(path: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path, 'utf8').catch(() => '{}');
  try {
    const memory: unknown = JSON.parse(text);
    return typeof memory === 'object' && memory !== null ? { ...memory } : {};
  } catch {
    return {};
  }
}

async function writeMemory(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  makeFolder(dirname(path), 0o700);
  await writeFile(path, `${JSON.stringify(values)}\n`, { mode: 0o600 });
}
