import { foldArtifacts } from '../../protocol/artifacts/fold-artifacts.ts';
import { isRunWithin, rootRunId, type RunId } from '../../core/model/ids.ts';
import type { RunInfo } from '../../journal/port.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { ArtifactOrigins } from '../../protocol/artifacts/explain-artifact.ts';
import type { WhyView } from '../../protocol/artifacts/why-view.ts';
import type { Shown } from '../../protocol/operations/views.ts';
import { whole } from '../../protocol/whole-list.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { ArtifactFiles } from './artifacts/artifact-files.ts';
import { readTree } from '../runs/tree-reader.ts';
import type { Looking } from '../world/store.ts';
import { isUtf8 } from 'node:buffer';
import { Fault } from '../../core/model/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { space } from '../../protocol/amounts.ts';
import { plainText } from '../../protocol/plain-text.ts';

const MOST_BYTES = 16 * 1024 * 1024;

/** All of it at once, where that is no matter. ARTIFACT_LARGE. */
export async function wholeContent(
  content: AsyncIterable<Buffer>,
  { path, bytes }: Pick<ArtifactView, 'path' | 'bytes'>,
): Promise<Buffer> {
  if (bytes > MOST_BYTES) {
    throw new Fault('ARTIFACT_LARGE', `${shownPath(path)} has ${space(bytes)}, which is too much to show.`, {
      hint: 'Write it into a file: troupe artifacts RUN ID > FILE',
      facts: { path, bytes },
    });
  }
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

/** For JSON: as text where it is text. */
export const wireContent = (bytes: Buffer): { readonly content: string } | { readonly content_base64: string } =>
  isText(bytes) ? { content: bytes.toString('utf8') } : { content_base64: bytes.toString('base64') };

/** For a terminal, which gets no bytes that would steer it. */
export function shownContent(bytes: Buffer, { path }: Pick<ArtifactView, 'path'>): string {
  if (!isText(bytes)) {
    return `${shownPath(path)} is binary, ${space(bytes.length)}. Write it into a file: troupe artifacts RUN ID > FILE\n`;
  }
  const text = plainText(bytes.toString('utf8'));
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** A person need not write more of a hash than this. */
const SHORTEST_HASH = 4;

/**
 * The artifact that a person means: by its id; by its path, then the newest version counts; by `PATH#2`, its second version;
 * or by a beginning that only one has, of the id (also without the run) or of the hash. ARTIFACT_UNKNOWN, ARTIFACT_AMBIGUOUS.
 */
export function findArtifact(artifacts: readonly ArtifactView[], text: string, root: string): ArtifactView {
  const exact = newest(artifacts.filter(({ id }) => id === text || id === `${root}/${text}`));
  if (exact !== undefined) return exact;
  const { path, version } = pathAndVersion(text);
  const named =
    newest(artifacts.filter((one) => one.path === text)) ??
    newest(artifacts.filter((one) => one.path === path && one.version === version));
  if (named !== undefined) return named;
  const beginning = artifacts.filter((one) => text !== '' && beginsWith(one, text, root));
  const ids = [...new Set(beginning.map(({ id }) => id))];
  // One content that several recorded is one answer.
  const contents = new Set(beginning.map(({ path: at, hash }) => `${hash} ${at}`));
  const found = newest(beginning);
  if (found === undefined) throw unknown(artifacts, text, root);
  if (ids.length > 1 && contents.size > 1) throw ambiguous(text, ids);
  return found;
}

/** Prefers artifacts that were not undone. */
const newest = (found: readonly ArtifactView[]): ArtifactView | undefined =>
  found.findLast(({ undone }) => undone === undefined) ?? found.at(-1);

function pathAndVersion(text: string): { readonly path: string; readonly version: number } {
  const match = /^([^]*)#(\d+)$/.exec(text.replace(/^\.\//, ''));
  return { path: match?.[1] ?? text.replace(/^\.\//, ''), version: Number(match?.[2] ?? Number.NaN) };
}

function beginsWith({ id, hash }: ArtifactView, text: string, root: string): boolean {
  if (id.startsWith(text) || id.startsWith(`${root}/${text}`)) return true;
  return text.length >= SHORTEST_HASH && hash.startsWith(text.toLowerCase());
}

function unknown(artifacts: readonly ArtifactView[], text: string, root: string): Fault {
  const paths = [...new Set(artifacts.map(({ path }) => path))];
  const some = paths.slice(0, 5).join(', ');
  return new Fault('ARTIFACT_UNKNOWN', `No artifact of run ${root} is "${text}".`, {
    hint:
      paths.length === 0
        ? 'The run has no artifacts.'
        : `It has: ${some}${paths.length > 5 ? ', …' : ''}. See: troupe artifacts ${root}`,
  });
}

function ambiguous(text: string, ids: readonly string[]): Fault {
  const some = ids.slice(0, 5).join(', ');
  return new Fault('ARTIFACT_AMBIGUOUS', `"${text}" is the beginning of ${ids.length} artifacts: ${some}.`, {
    hint: 'Write more of it, or its path.',
  });
}

/** What the agents of a run made, while its files are open. */
export interface RunArtifacts {
  readonly run: RunId;
  /** Those of the run itself and of the runs below it. */
  readonly own: readonly ArtifactView[];
  /** By id, path, or the beginning of one. ARTIFACT_UNKNOWN, ARTIFACT_AMBIGUOUS. */
  readonly find: (named: string) => ArtifactView;
  /** Where one comes from; without a name, those that nothing else was made from. */
  readonly why: (chosen: ArtifactView | null) => readonly WhyView[];
  readonly content: (artifact: ArtifactView) => AsyncIterable<Buffer>;
}

export async function withArtifacts<Result>(
  { store }: Looking,
  { run, project }: RunInfo,
  work: (artifacts: RunArtifacts) => Promise<Result>,
): Promise<Result> {
  const workspaces = createWorkspaces({ home: store.home, shared: store.files });
  try {
    const trees = await workspaces.store(project);
    const root = rootRunId(run);
    const records = await readTree(store.journal, root);
    const files = await ArtifactFiles.open({ store, root, records, trees });
    // Of the whole tree: what a child made may come from elsewhere in it.
    const all = await files.look(foldArtifacts(records));
    // A fork has those of its origin too.
    const own = run === root ? all : all.filter((artifact) => isRunWithin(artifact.run, run));
    return await work({
      run,
      own,
      find: (named) => findArtifact(own, named, run),
      why: (chosen) => {
        const origins = new ArtifactOrigins(records, all);
        return (chosen === null ? ends(own) : [chosen]).map((artifact) => origins.why(artifact));
      },
      content: (artifact) => files.content(artifact),
    });
  } finally {
    await workspaces.close();
  }
}

/** For programs. */
export const artifactList = ({ run, own }: RunArtifacts) => ({ kind: 'artifacts', run, ...whole(own) }) as const;

export const whyList = ({ run, why }: RunArtifacts, chosen: ArtifactView | null) =>
  ({ kind: 'why', run, ...whole(why(chosen)) }) as const;

export async function artifactLine({ content }: RunArtifacts, artifact: ArtifactView): Promise<Shown<'artifact'>> {
  return { kind: 'artifact', ...artifact, ...wireContent(await wholeContent(content(artifact), artifact)) };
}

/** Artifacts that no other was made from: all others appear below these. */
function ends(artifacts: readonly ArtifactView[]): readonly ArtifactView[] {
  const used = new Set(artifacts.flatMap(({ dependencies }) => dependencies));
  const found = artifacts.filter(({ id, undone }) => undone === undefined && !used.has(id));
  return [...new Map(found.map((artifact) => [artifact.id, artifact])).values()];
}
