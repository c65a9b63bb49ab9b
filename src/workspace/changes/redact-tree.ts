import type { RedactedFile } from '../../core/record/files-fact.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { REDACTED, type KnownSecrets } from '../../secrets/known-secrets.ts';
import type { FoundForm } from '../../secrets/form-matcher.ts';
import { type BytePath, shownBytes } from '../byte-path.ts';
import type { EntryMap, TreeChange, TreeEntry, TreeStore } from '../store/port.ts';

export interface TreeToRedact {
  readonly tree: TreeId;
  /** The tree that was searched before. */
  readonly since: TreeId;
  /** The tree before the work: a secret in the same file there is the user's own, and stays. */
  readonly base: TreeId;
}

export interface RedactedTree {
  readonly tree: TreeId;
  readonly files: readonly RedactedFile[];
}

/** The same files without secrets that the work brought in, in content, link or name. Null where there are none. */
export async function redactTree(
  store: TreeStore,
  secrets: KnownSecrets,
  { tree, since, base }: TreeToRedact,
): Promise<RedactedTree | null> {
  const redacted: Redacted[] = [];
  let before: EntryMap | null = null;
  for (const change of await store.compare(since, tree)) {
    const found = await secretsIn(store, secrets, change);
    if (found === null) continue;
    before ??= await store.entries(base);
    const clean = await redactEntry(store, found, before.get(change.path));
    if (clean !== null) redacted.push(clean);
  }
  if (redacted.length === 0) return null;
  const entries = new Map(await store.entries(tree));
  for (const { path, name, entry } of redacted) {
    entries.delete(path);
    if (entry !== null) entries.set(name, entry);
  }
  return { tree: await store.write(entries), files: redacted.map(({ file }) => file) };
}

interface FoundIn {
  readonly path: BytePath;
  /** The path without secrets. */
  readonly name: BytePath;
  readonly entry: Extract<TreeEntry, { readonly blob: string }>;
  /** Null for a file that is too large to be read whole. */
  readonly text: string | null;
  readonly forms: readonly FoundForm[];
  readonly secrets: KnownSecrets;
}

interface Redacted {
  readonly path: BytePath;
  readonly name: BytePath;
  /** Null: not in the tree. */
  readonly entry: TreeEntry | null;
  readonly file: RedactedFile;
}

async function secretsIn(
  store: TreeStore,
  secrets: KnownSecrets,
  { path, after }: TreeChange,
): Promise<FoundIn | null> {
  if (after?.kind !== 'file' && after?.kind !== 'link') return null;
  const name = secrets.redact(path);
  const large = store.large(after.blob);
  const text = large === null ? (await store.read(after.blob)).toString('latin1') : null;
  const forms = large === null ? secrets.find(text ?? '') : await formsInPieces(secrets, large);
  return forms.length === 0 && name === path ? null : { path, name, entry: after, text, forms, secrets };
}

/** So much of a piece is looked at again with the next one: no form is longer. */
const OVERLAP = 16 * 1024;

/** One form of each secret; where in the file it stands is not known. */
async function formsInPieces(secrets: KnownSecrets, pieces: AsyncIterable<Buffer>): Promise<readonly FoundForm[]> {
  const found = new Map<string, FoundForm>();
  let tail = '';
  for await (const piece of pieces) {
    const text = tail + piece.toString('latin1');
    for (const form of secrets.find(text)) found.set(form.secret, form);
    tail = text.slice(-OVERLAP);
  }
  return [...found.values()];
}

async function redactEntry(store: TreeStore, found: FoundIn, known: TreeEntry | undefined): Promise<Redacted | null> {
  const { path, name, entry, text } = found;
  const fresh = await freshForms(store, found, known);
  if (fresh.length === 0 && name === path) return null;
  const file = reportOf(found, fresh[0]);
  if (fresh.length === 0) return { path, name, entry, file };
  // Without it, delivering the result would delete the user's file.
  if (text === null) return { path, name, entry: known ?? null, file: { ...file, isLeftOut: true } };
  const blob = await store.addBlob(redactedBytes(text, fresh));
  return { path, name, entry: { ...entry, blob }, file };
}

function reportOf({ path, name, text, secrets }: FoundIn, first: FoundForm | undefined): RedactedFile {
  const line = first === undefined || text === null ? null : text.slice(0, first.start).split('\n').length;
  const secret = (first ?? secrets.find(path)[0])?.secret ?? '';
  return { path: shownBytes(name), line, secret };
}

/** Those that did not stand in the file before the work. Of a file that is too large to be read whole, secrets count by their names. */
async function freshForms(
  store: TreeStore,
  { text, forms, secrets }: FoundIn,
  known: TreeEntry | undefined,
): Promise<readonly FoundForm[]> {
  if (known?.kind !== 'file') return forms;
  const large = store.large(known.blob);
  if (text === null || large !== null) {
    const stood = new Set(
      (await formsInPieces(secrets, large ?? whole(store, known.blob))).map(({ secret }) => secret),
    );
    return forms.filter(({ secret }) => !stood.has(secret));
  }
  const old = (await store.read(known.blob)).toString('latin1');
  const stood = new Set(secrets.find(old).map(({ start, end }) => old.slice(start, end)));
  return forms.filter(({ start, end }) => !stood.has(text.slice(start, end)));
}

async function* whole(store: TreeStore, blob: string): AsyncIterable<Buffer> {
  yield await store.read(blob);
}

/** Bytes of a program or a picture keep their places; in a text the mark says what happened. */
function redactedBytes(text: string, forms: readonly FoundForm[]): Buffer {
  const isBinary = text.includes('\0');
  const pieces = forms.map(({ start, end }, index) => {
    const mark = isBinary ? '*'.repeat(end - start) : REDACTED;
    return text.slice(forms[index - 1]?.end ?? 0, start) + mark;
  });
  return Buffer.from(pieces.join('') + text.slice(forms.at(-1)?.end ?? 0), 'latin1');
}
