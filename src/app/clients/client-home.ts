import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { booksOf } from '../../actors/clients/client-home.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { ClientOfAgent } from '../../host/world.ts';
import type { Journal } from '../../journal/port.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { runPlace } from '../../workspace/run-place.ts';

/** Where the clients of a run and of all runs below it keep their settings and conversations. */
export function clientHomes(home: string, root: RunId): string {
  // Refuses what is no name of a folder.
  runPlace(home, root);
  return join(home, 'agents', root);
}

/**
 * Gives clients their folders, one for each agent: what one leaves there acts on no other. That of an agent in a fork begins
 * as a copy of the one it had in the run that was forked: conversations come along.
 */
export class ClientHomes {
  readonly #home: string;
  readonly #journal: Pick<Journal, 'read' | 'run'>;
  readonly #made = new Map<string, Promise<string>>();

  constructor(home: string, journal: Pick<Journal, 'read' | 'run'>) {
    this.#home = home;
    this.#journal = journal;
  }

  of(client: ClientOfAgent): Promise<string> {
    const folder = this.#folder(client);
    const known = this.#made.get(folder);
    if (known !== undefined && existsSync(folder)) return known;
    const made = this.#make(client, folder);
    this.#made.set(folder, made);
    return made;
  }

  /** Names of agents and of runs below the root may be long, or be the same when they have become names of folders. */
  readonly #folder = ({ run, agent, kind }: ClientOfAgent): string => {
    const mark = createHash('sha256')
      .update(JSON.stringify([run, agent]))
      .digest('hex')
      .slice(0, 12);
    return join(clientHomes(this.#home, rootRunId(run)), plain(kind), `${plain(agent).slice(0, 40)}-${mark}`);
  };

  async #make(client: ClientOfAgent, folder: string): Promise<string> {
    if (existsSync(folder)) return folder;
    makeFolder(dirname(folder), 0o700);
    const before = await this.#before(client);
    if (before !== null) {
      await copyFolder(booksOf(before), booksOf(folder));
      await copyFolder(before, folder);
    }
    makeFolder(folder, 0o700);
    return folder;
  }

  /** The nearest run on the way back that has one; a fork of a fork may never have been driven. */
  async #before({ run, agent, kind }: ClientOfAgent): Promise<string | null> {
    const seen = new Set<RunId>([run]);
    for (let from = await this.#origin(run); from !== null && !seen.has(from); from = await this.#origin(from)) {
      seen.add(from);
      const folder = this.#folder({ run: from, agent, kind });
      if (existsSync(folder)) return folder;
    }
    return null;
  }

  /** The records of the run it comes from are its own too, so the last fork is the one that made it. */
  async #origin(run: RunId): Promise<RunId | null> {
    if ((await this.#journal.run(run)) === undefined) return null;
    const records = await this.#journal.read(run);
    const forked = records.map(({ fact }) => fact).findLast((fact) => fact.kind === 'run.forked');
    return forked?.from.run ?? null;
  }
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]/g, '-');

/** Whole or not at all. If it cannot be copied, new conversations start and get the whole history. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  const draft = `${to}.${randomUUID()}`;
  try {
    // With its times: they show which of two logins is newer.
    await cp(from, draft, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: async (path) => !isLeft(relative(from, path)) && (await isPlain(path)),
    });
    await rename(draft, to);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Temporary files, and indexes with the conversations' old paths, which Codex rebuilds. */
const isLeft = (path: string): boolean => path === 'tmp' || /^\.codex\/[^/]+\.sqlite(?:-\w+)?$/.test(path);

/** An agent may leave anything there, also sockets, which cannot be copied. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
}
