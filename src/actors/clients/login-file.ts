import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isJsonObject, type Json } from '../../core/json.ts';

/** A file that holds a login: the user's own, and the copy that a client works with. */
export interface LoginFile {
  readonly user: string;
  readonly copy: string;
}

/**
 * Brings the user's login to where a client finds it, unless the copy is the newer one: the client may have refreshed it, and
 * the older one would no longer be good.
 */
export async function bringLogin({ user, copy }: LoginFile): Promise<void> {
  const [own, known] = await Promise.all([loginAt(user), loginAt(copy)]);
  if (own !== null && (known === null || isNewer(own, known))) await put(own, copy);
}

/**
 * Gives a login back that the client refreshed meanwhile: the user's own would else be one that is used up. Only in the place
 * of one of the same shape: the copy lies where an agent may write, and a logout stays a logout.
 */
export async function returnLogin({ user, copy }: LoginFile): Promise<void> {
  const [own, refreshed] = await Promise.all([loginAt(user), loginAt(copy)]);
  if (own === null || refreshed === null || !isNewer(refreshed, own)) return;
  if (refreshed.text !== own.text && shapeOf(refreshed.text) === shapeOf(own.text)) await put(refreshed, user);
}

interface Login {
  readonly text: string;
  readonly changedAt: number;
}

/** Null where there is none. Never through a link. */
async function loginAt(path: string): Promise<Login | null> {
  const found = await lstat(path).catch(() => null);
  if (found?.isFile() !== true || found.size > LARGEST_BYTES) return null;
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? null : { text, changedAt: found.mtimeMs };
}

/** File systems and clocks differ in how finely they tell the time. */
const isNewer = (one: Login, other: Login): boolean => one.changedAt > other.changedAt + 1;

const LARGEST_BYTES = 256 * 1024;

/** The names of its fields, and of those one level below. Empty when it is none. */
function shapeOf(text: string): string {
  const value = parsed(text);
  if (!isJsonObject(value)) return '';
  return JSON.stringify(Object.entries(value).map(([name, field]) => [name, typeof field, keysOf(field)]));
}

const keysOf = (value: Json): readonly string[] => (isJsonObject(value) ? Object.keys(value).sort() : []);

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Whole or not at all, since somebody else may be reading it; and as old as it was, so that it is told from a newer one. */
async function put({ text, changedAt }: Login, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await utimes(draft, new Date(changedAt), new Date(changedAt));
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
