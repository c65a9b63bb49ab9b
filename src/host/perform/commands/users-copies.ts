import type { TreeId } from '../../../core/model/ids.ts';
import { MAX_COMPARED_BYTES } from '../../../workspace/changes/conflict.ts';
import { takeSide, type TakenSide } from '../../../workspace/changes/plan-apply.ts';
import type { TreeChange, TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { guardOf, type Guard, type GuardOrder } from './command-guard.ts';
import type { Parts } from './guarded-parts.ts';
import { isTestFile } from './steering-files.ts';
import { asText } from '../files/text-path.ts';
import { entrySide } from '../../deliver/result-marks.ts';

/** An implementation with the user's copies of all files that decide what a command does. */
export interface UsersCopies {
  readonly tree: TreeId;
  readonly tampered: readonly Tampered[];
  /** Tests that only grew: the user's copies count for the command, but this is no fault. */
  readonly extended: readonly string[];
}

/** A file that decides what the command does, and that the implementer changed. */
export interface Tampered {
  readonly path: string;
  readonly how: 'changed' | 'deleted' | 'added';
}

export interface CopiesOrder extends GuardOrder {
  readonly tree: TreeId;
}

/** Implementers must not choose their own measure (L4). */
export async function usersCopies(store: TreeStore, order: CopiesOrder): Promise<UsersCopies> {
  const { base, tree } = order;
  const changes = await store.compare(base, tree);
  if (changes.length === 0) return { tree, tampered: [], extended: [] };
  const guard = await guardOf(store, order);
  const taken: TakenSide[] = [];
  const tampered: Tampered[] = [];
  const extended: string[] = [];
  for (const change of changes) {
    const found = await judge(store, change, guard);
    if (found === null) continue;
    taken.push({ path: change.path, kind: 'content', side: entrySide(found.entry), from: base });
    if (found.how === 'extended') extended.push(asText(change.path));
    else if (found.how !== null) tampered.push({ path: asText(change.path), how: found.how });
  }
  return { tree: await takeSide(store, tree, taken), tampered, extended };
}

interface Judged {
  /** The file that the command sees there. */
  readonly entry: TreeEntry | null;
  readonly how: Tampered['how'] | 'extended' | null;
}

async function judge(store: TreeStore, change: TreeChange, guard: Guard): Promise<Judged | null> {
  const { before, after } = change;
  const path = asText(change.path);
  if (before === null) return guard.added(path) && isContent(after) ? { entry: null, how: 'added' } : null;
  if (!isContent(before)) return null;
  if (guard.whole(path)) {
    return { entry: before, how: isContent(after) ? await howChanged(store, path, { before, after }) : 'deleted' };
  }
  const parts = guard.parts(path);
  if (parts === null) return null;
  return isContent(after) ? await judgeParts(store, parts, { before, after }) : { entry: before, how: 'deleted' };
}

type Content = Extract<TreeEntry, { kind: 'file' | 'link' }>;

interface BothSides {
  readonly before: Content;
  readonly after: Content;
}

async function judgeParts(store: TreeStore, parts: Parts, { before, after }: BothSides): Promise<Judged | null> {
  const [old, made] = [await textOf(store, before), await textOf(store, after)];
  if (old === null || made === null) return { entry: before, how: 'changed' };
  const text = parts(old, made);
  if (text === null) return null;
  const blob = await store.addBlob(Buffer.from(text));
  return { entry: { kind: 'file', mode: after.kind === 'file' ? after.mode : 0o644, blob }, how: 'changed' };
}

const isContent = (entry: TreeEntry | null): entry is Content => entry?.kind === 'file' || entry?.kind === 'link';

async function howChanged(store: TreeStore, path: string, { before, after }: BothSides): Promise<Judged['how']> {
  if (before.kind === after.kind && before.blob === after.blob) return null;
  if (!isTestFile(path)) return 'changed';
  const [old, made] = [await textOf(store, before), await textOf(store, after)];
  return old !== null && made !== null && onlyGrew(old, made) ? 'extended' : 'changed';
}

/** Every earlier line is still there, in the same order. */
function onlyGrew(before: string, after: string): boolean {
  const old = before.trimEnd().split('\n');
  let at = 0;
  for (const line of after.split('\n')) if (line === old[at]) at += 1;
  return at === old.length;
}

async function textOf(store: TreeStore, entry: TreeEntry): Promise<string | null> {
  if (entry.kind !== 'file' || (await store.sizeOf(entry.blob)) > MAX_COMPARED_BYTES) return null;
  return (await store.read(entry.blob)).toString('utf8');
}
