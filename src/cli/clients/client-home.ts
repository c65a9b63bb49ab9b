import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { runPlace } from '../../workspace/run-place.ts';
import { rootRun } from '../session/root-run.ts';

/** Where the clients of a run and of all runs below it keep their settings and conversations. */
export function clientHomes(home: string, root: RunId): string {
  // Refuses what is no name of a folder.
  runPlace(home, root);
  return join(home, 'agents', root);
}

export interface ClientOfRun {
  readonly root: RunId;
  readonly kind: string;
}

/** Gives clients their folders. That of a fork begins as a copy of the one it was forked from: conversations come along. */
export class ClientHomes {
  readonly #home: string;
  readonly #journal: Pick<Journal, 'read' | 'run'>;
  readonly #made = new Map<string, Promise<string>>();

  constructor(home: string, journal: Pick<Journal, 'read' | 'run'>) {
    this.#home = home;
    this.#journal = journal;
  }

  of(client: ClientOfRun): Promise<string> {
    const folder = this.#folder(client);
    const known = this.#made.get(folder);
    if (known !== undefined && existsSync(folder)) return known;
    const made = this.#make(client, folder);
    this.#made.set(folder, made);
    return made;
  }

  readonly #folder = ({ root, kind }: ClientOfRun): string =>
    join(clientHomes(this.#home, root), kind.replaceAll(/[^A-Za-z0-9._-]/g, '-'));

  async #make(client: ClientOfRun, folder: string): Promise<string> {
    if (existsSync(folder)) return folder;
    makeFolder(clientHomes(this.#home, client.root), 0o700);
    const before = await this.#before(client);
    if (before !== null) await copyHome(before, folder);
    makeFolder(folder, 0o700);
    return folder;
  }

  /** The nearest run on the way back that has one; a fork of a fork may never have been driven. */
  async #before({ root, kind }: ClientOfRun): Promise<string | null> {
    const seen = new Set<RunId>([root]);
    for (let from = await this.#origin(root); from !== null && !seen.has(from); from = await this.#origin(from)) {
      seen.add(from);
      const folder = this.#folder({ root: from, kind });
      if (existsSync(folder)) return folder;
    }
    return null;
  }

  /** The records of the run it comes from are its own too, so the last fork is the one that made it. */
  async #origin(root: RunId): Promise<RunId | null> {
    if ((await this.#journal.run(root)) === undefined) return null;
    const records = await this.#journal.read(root);
    const forked = records.map(({ fact }) => fact).findLast((fact) => fact.kind === 'run.forked');
    return forked === undefined ? null : rootRun(forked.from.run);
  }
}

/** Whole or not at all. Where it cannot be copied the conversations begin anew, and are told all. */
async function copyHome(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomUUID()}`;
  try {
    // With its times: by them a login is told from a newer one.
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

/** What is for a moment only; and indexes that know the conversations by their old places, which Codex makes anew. */
const isLeft = (path: string): boolean => path === 'tmp' || /^\.codex\/[^/]+\.sqlite(?:-\w+)?$/.test(path);

/** An agent may leave anything there; nobody can copy a socket. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
}
