import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Fault, isFault } from '../../../core/model/fault.ts';
import type { FilesChanged, WorkspaceMade } from '../../../core/record/files-fact.ts';
import { treeId, type RunId, type TreeId } from '../../../core/model/ids.ts';
import { MAIN_WORKSPACE } from '../../../core/model/workspace-name.ts';
import { seeFile } from '../../../host/perform/outputs/seen-file.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import type { ArtifactNow, ArtifactView } from '../../../protocol/artifacts/artifact-view.ts';
import { textIn } from '../../../protocol/artifacts/why-view.ts';
import type { RunRecord } from '../../../protocol/history/run-record.ts';
import { readInFolder } from '../../../tools/folder-access.ts';
import type { EntryMap, TreeStore } from '../../../workspace/store/port.ts';
import { findFiles, treeOf, type RunFiles } from '../../../host/deliver/find-files.ts';
import { folderOfWorkspace } from '../../results/run-diff.ts';
import type { Store } from '../../world/store.ts';

export interface FilesOptions {
  readonly store: Store;
  /** The root of the tree of runs. */
  readonly root: RunId;
  readonly records: readonly RunRecord[];
  readonly trees: TreeStore;
}

/** The recorded state of artifacts, compared with their files now. */
export class ArtifactFiles {
  readonly #options: FilesOptions;
  /** Null for a run that keeps no files. */
  readonly #files: RunFiles | null;
  readonly #changes: readonly Change[];
  readonly #entries = new Map<TreeId, EntryMap | null>();

  private constructor(options: FilesOptions, files: RunFiles | null) {
    this.#options = options;
    this.#files = files;
    this.#changes = changesOf(options.records);
  }

  static async open(options: FilesOptions): Promise<ArtifactFiles> {
    try {
      return new ArtifactFiles(options, await findFiles(options.store.journal, options.root));
    } catch (error) {
      if (!isFault(error) || error.code !== 'FILES_NONE') throw error;
      return new ArtifactFiles(options, null);
    }
  }

  /** The same with how each is now. */
  async look(artifacts: readonly ArtifactView[]): Promise<readonly ArtifactView[]> {
    const newest = new Map(
      artifacts.filter(({ undone }) => undone === undefined).map((artifact) => [artifact.path, artifact]),
    );
    const seen: ArtifactView[] = [];
    for (const artifact of artifacts) {
      const last = newest.get(artifact.path);
      const isReplaced = artifact.undone === undefined && last !== undefined && last.hash !== artifact.hash;
      seen.push({ ...artifact, now: isReplaced ? 'replaced' : await this.#now(artifact) });
    }
    return seen;
  }

  async #now(artifact: ArtifactView): Promise<ArtifactNow> {
    const workspace = this.#placeOf(artifact);
    const then = await this.#blobIn(this.#treeThen(artifact), artifact.path);
    if (then === undefined || this.#files === null) return 'unknown';
    if (then === null) return await this.#nowOnDisk(artifact, workspace);
    const now = await this.#blobIn(treeOf(this.#files, workspace), artifact.path);
    if (now === undefined) return 'unknown';
    return now === null ? 'gone' : now === then ? 'same' : 'changed';
  }

  /** Ignored files are in no tree, so they are read from disk. */
  async #nowOnDisk({ path, hash }: ArtifactView, workspace: string): Promise<ArtifactNow> {
    const folder = folderOfWorkspace(this.#options.store.home, this.#options.root, workspace);
    if (!existsSync(folder)) return 'unknown';
    const seen = await seeFile(folder, path);
    return seen.kind === 'none' ? 'gone' : seen.hash === hash ? 'same' : 'changed';
  }

  /** The bytes that were recorded, piece by piece. FILES_PRUNED, ARTIFACT_NOT_KEPT, ARTIFACT_DAMAGED. */
  async *content(artifact: ArtifactView): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    for await (const piece of await this.#pieces(artifact)) {
      hash.update(piece);
      yield piece;
    }
    if (hash.digest('hex') === artifact.hash) return;
    throw new Fault('ARTIFACT_DAMAGED', `The stored content of ${shownPath(artifact.path)} is not what was recorded.`, {
      hint: 'Its hash differs. Check the store with: troupe doctor',
      facts: { id: artifact.id },
    });
  }

  async #pieces(artifact: ArtifactView): Promise<AsyncIterable<Buffer> | readonly Buffer[]> {
    const { trees, root } = this.#options;
    const blob = await this.#blobIn(this.#treeThen(artifact), artifact.path);
    if (blob === undefined) {
      throw new Fault('FILES_PRUNED', `The files of run ${root} are no longer stored.`, {
        hint: 'They were removed by `troupe prune`, or the project was moved.',
      });
    }
    if (blob !== null) return trees.large(blob) ?? [await trees.read(blob)];
    const folder = folderOfWorkspace(this.#options.store.home, root, this.#placeOf(artifact));
    const seen = existsSync(folder) ? await seeFile(folder, artifact.path) : null;
    if (seen?.kind === 'file' && seen.hash === artifact.hash) {
      return [await readInFolder(folder, artifact.path, artifact.bytes)];
    }
    throw new Fault('ARTIFACT_NOT_KEPT', `${shownPath(artifact.path)} was ignored, so its content was not stored.`, {
      hint: 'Only its hash is known. What a rule of the project ignores is in no snapshot.',
    });
  }

  /** Null: there is no such file in the tree; undefined: the tree is not kept any more. */
  async #blobIn(tree: TreeId | null, path: string): Promise<string | null | undefined> {
    if (tree === null) return null;
    const entries = await this.#entriesOf(tree);
    if (entries === null) return undefined;
    const entry = entries.get(Buffer.from(path, 'utf8').toString('latin1'));
    return entry?.kind === 'file' ? entry.blob : null;
  }

  async #entriesOf(tree: TreeId): Promise<EntryMap | null> {
    const known = this.#entries.get(tree);
    if (known !== undefined) return known;
    const { trees } = this.#options;
    const entries = (await trees.has(tree)) ? await trees.entries(tree) : null;
    this.#entries.set(tree, entries);
    return entries;
  }

  /** The tree that the record names, or that its workspace had by then. */
  #treeThen(artifact: ArtifactView): TreeId | null {
    const { metadata } = artifact;
    const named = textIn(metadata['tree']);
    if (named !== null) return treeId(named);
    const own = this.#indexOf(artifact);
    const workspace = textIn(metadata['workspace']) ?? MAIN_WORKSPACE;
    const before = this.#changes.filter(({ fact, index }) => fact.workspace === workspace && index < own);
    const last = before.toSorted((one, other) => one.fact.version - other.fact.version).at(-1);
    return last?.fact.tree ?? this.#files?.began.tree ?? null;
  }

  /** Where its file is looked for: its own workspace until that was brought somewhere. */
  #placeOf(artifact: ArtifactView): string {
    const own = this.#indexOf(artifact);
    const named = textIn(artifact.metadata['workspace']);
    let workspace = named !== null && this.#files?.workspaces.has(named) === true ? named : MAIN_WORKSPACE;
    for (const { fact, index } of this.#changes) {
      if (workspace === MAIN_WORKSPACE) break;
      const isHome = index > own && fact.kind === 'files.changed' && fact.why === 'merge' && fact.from === workspace;
      if (isHome) workspace = fact.workspace;
    }
    return workspace;
  }

  /** Where its record stands among the records of the tree. */
  #indexOf({ run, record: seq }: ArtifactView): number {
    return this.#options.records.findIndex((one) => one.run === run && one.record.seq === seq);
  }
}

interface Change {
  /** Where it stands among the records of the tree. */
  readonly index: number;
  readonly fact: FilesChanged | WorkspaceMade;
}

function changesOf(records: readonly RunRecord[]): readonly Change[] {
  return records.flatMap(({ record: { fact } }, index) =>
    fact.kind === 'files.changed' || fact.kind === 'workspace.made' ? [{ index, fact }] : [],
  );
}
