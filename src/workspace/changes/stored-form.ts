import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { EntryMap } from './entry-map.ts';
import { putTree } from './put-tree.ts';
import type { ScratchRepository } from './scratch-repository.ts';
import { zeroEnded } from './zero-ended.ts';

/**
 * Files in the form in which git keeps them: line ends, `$Id$` and the like as the attributes beside them and the user's
 * settings say. Git does it itself, in a folder of ours that holds only these files and the attributes. Outside programs that
 * would take part are not run: their files are returned in `outside`.
 */
export async function storedForm(scratch: ScratchRepository, source: FormSource): Promise<StoredForm> {
  const files = join(scratch.folder, source.name);
  const wanted = [...source.paths].filter((path) => isLeaf(source.entries.get(path)));
  const shown = new Map([...source.entries].filter(([path]) => isAttributes(path)));
  for (const path of wanted) shown.set(path, source.entries.get(path) ?? NEVER);
  await mkdir(files);
  const index = join(scratch.folder, `${source.name}.folder-index`);
  await putTree(source.store, await source.store.write(shown), { folder: files, index });
  const outside = await outsideFilters(scratch, { files, paths: wanted, filters: source.filters });
  const own = wanted.filter((path) => !outside.has(path));
  await scratch.loadHead(source.name);
  const call = { index: source.name, files };
  await scratch.git(['update-index', '-z', '--add', '--replace', '--stdin'], { ...call, input: zeroEnded(own) });
  const indexed = await scratch.indexEntries(source.name);
  return { entries: new Map(own.flatMap((path) => pairAt(indexed, path))), outside };
}

export interface FormSource {
  readonly store: TreeStore;
  /** Tells several of one scratch repository apart. */
  readonly name: string;
  /** The whole tree: its attributes count. */
  readonly entries: EntryMap;
  readonly paths: Iterable<BytePath>;
  /** Names of the filters for which a program is configured. */
  readonly filters: ReadonlySet<string>;
}

export interface StoredForm {
  /** Of the wanted paths those that are files or links. */
  readonly entries: EntryMap;
  readonly outside: ReadonlySet<BytePath>;
}

const NEVER: TreeEntry = { kind: 'unkept', why: 'special' };

function isLeaf(entry: TreeEntry | undefined): boolean {
  return entry?.kind === 'file' || entry?.kind === 'link';
}

function isAttributes(path: BytePath): boolean {
  return path === '.gitattributes' || path.endsWith('/.gitattributes');
}

function pairAt(entries: EntryMap, path: BytePath): readonly (readonly [BytePath, TreeEntry])[] {
  const entry = entries.get(path);
  return entry === undefined ? [] : [[path, entry]];
}

interface FilterQuestion {
  readonly files: string;
  readonly paths: readonly BytePath[];
  readonly filters: ReadonlySet<string>;
}

/** Files that an outside program would convert, or that git would recode: the second can fail, and only the user can tell why. */
async function outsideFilters(scratch: ScratchRepository, question: FilterQuestion): Promise<ReadonlySet<BytePath>> {
  const words = ['check-attr', '-z', '--stdin', 'filter', 'working-tree-encoding'];
  const output = await scratch.git(words, { files: question.files, input: zeroEnded(question.paths) });
  const fields = output.toString('latin1').split('\0');
  const found = new Set<BytePath>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name, value = ''] = fields.slice(at, at + 3);
    const isSet = !['unspecified', 'unset', 'set'].includes(value);
    if (isSet && (name !== 'filter' || question.filters.has(value))) found.add(path);
  }
  return found;
}
