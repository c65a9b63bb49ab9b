import { rm, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { PathRefused } from '../../lib/confined-path.ts';
import { readHeldFile, writeHeldFile } from '../../lib/held-file.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import { walkFolder } from '../../workspace/walk-folder.ts';
import { withBooks, withHomeFolder } from './client-home.ts';

/** One conversation of a client, in the home of the agent that it belongs to. */
export interface ClientConversation {
  /** The kind of client. */
  readonly kind: string;
  readonly home: string;
  readonly session: string;
  /** The workspace in which the agent works. */
  readonly folder: string;
}

/** A file of a conversation, by its path below the folder in which the client looks for it. */
export interface ConversationFile {
  readonly path: string;
  readonly text: string;
}

export interface ConversationFiles {
  readonly files: readonly ConversationFile[];
  /** The engine's note of the usage so far. */
  readonly book: string | null;
}

/** Where a kind of client keeps its conversations. Nothing else of its home is read: no login, no settings, no cache. */
interface ConversationLayout {
  /** All conversations are below it. */
  readonly root: readonly string[];
  /** The folder for a workspace's conversations, below the root. */
  readonly place: (folder: string) => readonly string[];
  /** The path of a file below `place`; null where it belongs to another conversation. */
  readonly pathOf: (names: readonly string[], session: string) => string | null;
  /** Indexes in the folder above the root that know conversations as they were; the client makes them again. */
  readonly stale?: RegExp;
}

const LAYOUTS: Readonly<Record<string, ConversationLayout>> = {
  'claude-code': {
    root: ['.claude', 'projects'],
    place: (folder) => [claudeFolder(folder)],
    pathOf: ([, ...names], session) => {
      const isOwn = names[0] === session || (names.length === 1 && names[0] === `${session}.jsonl`);
      return isOwn && /\.(?:jsonl?|txt)$/.test(names.at(-1) ?? '') ? names.join('/') : null;
    },
  },
  codex: {
    root: ['.codex', 'sessions'],
    place: () => [],
    pathOf: (names, session) => (names.at(-1)?.endsWith(`-${session}.jsonl`) === true ? names.join('/') : null),
    stale: /\.sqlite(?:-\w+)?$/,
  },
};

/** As Claude Code names the folder for conversations that were held in another one. */
const claudeFolder = (folder: string): string => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

export const canTravel = (kind: string): boolean => Object.hasOwn(LAYOUTS, kind);

/** Null if missing or too large to copy. */
export async function readConversation(conversation: ClientConversation): Promise<ConversationFiles | null> {
  const { kind, home, session } = conversation;
  const layout = LAYOUTS[kind];
  if (layout === undefined || !isPlainName(session)) return null;
  const files: ConversationFile[] = [];
  let bytes = 0;
  await withHomeFolder(home, layout.root, async (root) => {
    for await (const { folder, name, path } of ownFiles(root, layout, session)) {
      const content = await readHeldFile(folder, name, { maxBytes: MOST_BYTES }).catch(ifTooLarge);
      bytes += content?.length ?? Infinity;
      if (content !== null) files.push({ path, text: content.toString('utf8') });
    }
  });
  if (files.length === 0 || bytes > MOST_BYTES) return null;
  const book = await withBooks(home, (books) =>
    readHeldFile(books, bookOf(session), { maxBytes: MOST_BOOK_BYTES }),
  ).catch(() => null);
  return { files, book: book?.toString('utf8') ?? null };
}

/** Replaces what the home holds of the conversation. */
export async function writeConversation(conversation: ClientConversation, found: ConversationFiles): Promise<void> {
  const { kind, home, session, folder } = conversation;
  const layout = LAYOUTS[kind];
  if (layout === undefined || !isPlainName(session)) return;
  await withHomeFolder(home, layout.root, async (root) => {
    for await (const { folder: held, name } of ownFiles(root, layout, session)) await unlink(held.at(name));
  });
  if (layout.stale !== undefined) await removeStale(home, layout.root.slice(0, -1), layout.stale);
  for (const { path, text } of found.files) {
    const names = path.split('/');
    const way = [...layout.root, ...layout.place(folder), ...names.slice(0, -1)];
    if (!names.every(isPlainName)) continue;
    await withHomeFolder(home, way, (held) => writeHeldFile(held, basename(path), { content: text, mode: 0o600 }));
  }
  const { book } = found;
  if (book === null) return;
  await withBooks(home, (books) => writeHeldFile(books, bookOf(session), { content: book, mode: 0o600 }));
}

const bookOf = (session: string): string => `${session}.json`;

/** Above it, a conversation is restarted elsewhere rather than carried there after each turn. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BOOK_BYTES = 4096;

interface OwnFile {
  readonly folder: HeldFolder;
  readonly name: string | Buffer;
  readonly path: string;
}

async function* ownFiles(root: HeldFolder, layout: ConversationLayout, session: string): AsyncGenerator<OwnFile> {
  for await (const { folder, name, names, kind } of walkFolder(root, { tolerant: true })) {
    const path = kind === 'file' ? layout.pathOf(names.map(String), session) : null;
    if (path !== null) yield { folder, name, path };
  }
}

async function removeStale(home: string, way: readonly string[], stale: RegExp): Promise<void> {
  await withHomeFolder(home, way, async (folder) => {
    for (const { name } of await folder.entries()) {
      if (stale.test(name.toString('utf8'))) await rm(folder.at(name).toString(), { recursive: true, force: true });
    }
  });
}

/** Names from elsewhere must not lead out of their folder. */
const isPlainName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name);

function ifTooLarge(error: unknown): null {
  if (error instanceof PathRefused) return null;
  throw error;
}
