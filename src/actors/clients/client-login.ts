import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { openHeldFile } from '../../lib/held-file.ts';
import { HeldFolder } from '../../lib/held-folder.ts';
import { isJsonObject, type Json, type JsonObject, parseObject } from '../../core/model/json.ts';
import type { CallOptions } from '../port.ts';
import { withHomeFolder } from './client-home.ts';

/**
 * Whether one text is the other login, refreshed: only readable tokens and their times differ, and each new token belongs to the
 * same account and lasts longer. An agent that can write the new text could replace the user's login with a foreign one, so a
 * token that does not name its account must be unchanged: while the refresh token stays, no other can do harm for long.
 */
export function isRefreshedLogin(refreshed: string, own: string, now: number): boolean {
  const [one, other] = [parseObject(refreshed), parseObject(own)];
  if (one === null || other === null) return false;
  const tokens: Changed[] = [];
  return isSameObject(one, other, tokens) && tokens.length > 0 && tokens.every((token) => isGoodForLonger(token, now));
}

interface Changed {
  readonly token: string;
  readonly before: string;
}

function isSameObject(one: JsonObject, other: JsonObject, tokens: Changed[]): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => {
    const [value, before] = [one[name] ?? null, other[name] ?? null];
    return Object.hasOwn(other, name) && isSameField(name, { value, before }, tokens);
  });
}

function isSameField(name: string, field: { readonly value: Json; readonly before: Json }, tokens: Changed[]): boolean {
  const { value, before } = field;
  if (isJsonObject(value) && isJsonObject(before)) return isSameObject(value, before, tokens);
  if (JSON.stringify(value) === JSON.stringify(before)) return true;
  if (TIME.test(name)) return typeof value === typeof before && !isJsonObject(value);
  if (!TOKEN.test(name) || typeof value !== 'string' || typeof before !== 'string') return false;
  tokens.push({ token: value, before });
  return true;
}

/** Fields that clients rewrite on refresh: `accessToken`, `id_token`, `refresh`; `expiry_date`, `last_refresh`. */
const TOKEN = /token$|^(access|refresh)$/i;
const TIME = /^(expires|last_?refresh)$|^(refresh_?token_?)?(expires_?(at|in)|expiry(_?date)?)$/i;

function isGoodForLonger({ token, before }: Changed, now: number): boolean {
  const [claims, known] = [claimsOf(token), claimsOf(before)];
  if (claims === null || known === null || claims.holder !== known.holder) return false;
  return claims.expiresAt > now && claims.expiresAt > known.expiresAt;
}

/** Null where a token does not say whose it is, or until when it is good. */
function claimsOf(token: string): { readonly holder: string; readonly expiresAt: number } | null {
  const [, payload = '', signature] = token.split('.');
  if (signature === undefined) return null;
  const claims = parseObject(Buffer.from(payload, 'base64url').toString('utf8')) ?? {};
  const { iss = null, sub = null, exp = null } = claims;
  if (typeof sub !== 'string' || typeof exp !== 'number') return null;
  return { holder: JSON.stringify([iss, sub]), expiresAt: exp * 1000 };
}

/** A file that holds a login: the user's own, and the copy that a client works with. */
export interface LoginFile {
  readonly user: string;
  readonly copy: string;
  /** The client's home with the copy. Agents control everything below it. */
  readonly home: string;
}

/**
 * Brings the user's login to where a client finds it, unless the copy is the newer one: the client may have refreshed it, and
 * the older one would no longer be good.
 */
export async function bringLogin(file: LoginFile): Promise<void> {
  await mkdir(file.home, { recursive: true, mode: 0o700 });
  const own = await inUsersFolder(file, loginIn);
  if (own === null) return;
  await inCopysFolder(file, async (folder, name) => {
    const known = await loginIn(folder, name);
    if (known === null || isFromTheFuture(known) || isNewer(own, known)) await put(own, folder, name);
  });
}

/** The copy was unchanged, replaced the user's login, or was rejected because its owner is unknown. */
export type LoginReturn = 'unchanged' | 'returned' | 'doubted';

/**
 * Returns a login that the client refreshed, if it is provably the same one: the copy lies where an agent may write. A logout
 * stays a logout.
 */
export async function returnLogin(file: LoginFile): Promise<LoginReturn> {
  const refreshed = await inCopysFolder(file, loginIn);
  if (refreshed === null) return 'unchanged';
  const became = await inUsersFolder(file, async (folder, name): Promise<LoginReturn> => {
    const own = await loginIn(folder, name);
    if (own === null || !isNewer(refreshed, own) || refreshed.text === own.text) return 'unchanged';
    if (!isRefreshedLogin(refreshed.text, own.text, Date.now())) return 'doubted';
    await put(notAfter(Date.now(), refreshed), folder, name);
    return 'returned';
  });
  return became ?? 'unchanged';
}

type Work<T> = (folder: HeldFolder, name: string) => Promise<T>;

/** The way to the user's own is the user's choice, links and all. Null where there is no such folder. */
async function inUsersFolder<T>({ user }: LoginFile, work: Work<T>): Promise<T | null> {
  const folder = await HeldFolder.open(dirname(user)).catch(() => null);
  if (folder === null) return null;
  try {
    return await work(folder, basename(user));
  } finally {
    await folder.close();
  }
}

function inCopysFolder<T>({ home, copy }: LoginFile, work: Work<T>): Promise<T> {
  const way = relative(home, dirname(copy)).split('/');
  return withHomeFolder(
    home,
    way.filter((name) => name !== ''),
    (folder) => work(folder, basename(copy)),
  );
}

interface Login {
  readonly text: string;
  readonly changedAt: number;
}

/** Null if missing. Never follows a link. */
async function loginIn(folder: HeldFolder, name: string): Promise<Login | null> {
  const file = await openHeldFile(folder, name).catch(() => null);
  if (file === null) return null;
  try {
    const { size, mtimeMs } = await file.stat();
    return size > LARGEST_BYTES ? null : { text: await file.readFile('utf8'), changedAt: mtimeMs };
  } finally {
    await file.close();
  }
}

/** File systems and clocks differ in their resolution. */
const isNewer = (one: Login, other: Login): boolean => one.changedAt > other.changedAt + 1;

/** An agent may date its copy as it likes: one from the future would be the newer one for ever. */
const isFromTheFuture = ({ changedAt }: Login): boolean => changedAt > Date.now() + CLOCK_SLACK_MS;

const CLOCK_SLACK_MS = 2000;

const notAfter = (now: number, { text, changedAt }: Login): Login => ({ text, changedAt: Math.min(changedAt, now) });

const LARGEST_BYTES = 256 * 1024;

/** Atomic, since another process may be reading it; keeps the time of change, so that a newer login is recognised. */
async function put({ text, changedAt }: Login, folder: HeldFolder, name: string): Promise<void> {
  const draft = folder.at(`${name}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await utimes(draft, new Date(changedAt), new Date(changedAt));
    await rename(draft, folder.at(name));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Copies the user's logins to the client for a turn, and returns refreshed ones. */
export async function withLogins<T>(
  logins: readonly LoginFile[],
  { title, onActivity }: { readonly title: string } & Pick<CallOptions, 'onActivity'>,
  take: () => Promise<T>,
): Promise<T> {
  for (const login of logins) await bringLogin(login);
  try {
    return await take();
  } finally {
    for (const login of logins) {
      const became = await returnLogin(login).catch(() => 'unchanged' as const);
      if (became === 'doubted' && isNews(login)) onActivity?.(doubted(title));
    }
  }
}

/** Each turn would say it again. */
const reported = new Set<string>();

function isNews({ user }: LoginFile): boolean {
  const isNew = !reported.has(user);
  reported.add(user);
  return isNew;
}

const doubted = (title: string) =>
  ({
    id: 'notice-login',
    kind: 'notice',
    name: 'notice',
    status: 'ok',
    text:
      `The login in the sandbox of ${title} differs from before, and Troupe cannot tell whether it is yours: ` +
      'yours was not changed. If it no longer works, log in again.',
  }) as const;
