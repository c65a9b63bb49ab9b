import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntryMap, TreeEntry, TreeStore } from '../store/port.ts';
import type { BlobStore } from './conflict.ts';
import { BIG_FILES, gitOutput } from '../git.ts';
import type { ConversionSettings, UserRepository } from './user-repository.ts';
import { zeroEnded } from './branch-changes.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { openTreeStore } from '../store/tree-store.ts';

/**
 * A throw-away repository that sees the objects of the user's and writes only its own. It has no filter, hook or driver in its
 * settings, so that git can be given files from anybody: what it does with them, it does itself.
 */
export class ScratchRepository implements BlobStore {
  readonly folder: string;
  readonly #user: UserRepository;
  readonly #settings: ConversionSettings;

  private constructor(folder: string, user: UserRepository, settings: ConversionSettings) {
    this.folder = folder;
    this.#user = user;
    this.#settings = settings;
  }

  static async use<T>(
    user: UserRepository,
    settings: ConversionSettings,
    work: (scratch: ScratchRepository) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-branch-'));
    try {
      const scratch = new ScratchRepository(folder, user, settings);
      await gitOutput(['init', '--quiet', '--bare', '--template=', `--object-format=${user.format}`, scratch.#gitDir], {
        cwd: folder,
      });
      await mkdir(join(scratch.#gitDir, 'info'), { recursive: true });
      await copyFile(user.infoAttributes, join(scratch.#gitDir, 'info', 'attributes')).catch(() => undefined);
      return await work(scratch);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** `index` names one of any number of indexes, `files` the work tree for what needs one. */
  async git(words: readonly string[], call: ScratchCall = {}): Promise<Buffer> {
    const { autocrlf, eol, attributesFile } = this.#settings;
    const settings = [
      `core.autocrlf=${autocrlf}`,
      `core.eol=${eol}`,
      `core.attributesFile=${attributesFile}`,
      'core.safecrlf=false',
      'core.fileMode=true',
      'core.symlinks=true',
      'core.bare=false',
      BIG_FILES,
    ].flatMap((setting) => ['-c', setting]);
    return gitOutput([...settings, ...words], {
      cwd: call.files ?? this.folder,
      env: {
        GIT_DIR: this.#gitDir,
        GIT_WORK_TREE: call.files ?? this.folder,
        GIT_INDEX_FILE: join(this.folder, `${call.index ?? 'none'}.index`),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(this.#user.objects),
        GIT_LITERAL_PATHSPECS: '1',
        ...call.env,
      },
      ...(call.input === undefined ? {} : { input: call.input }),
    });
  }

  async read(blob: string): Promise<Buffer> {
    return this.git(['cat-file', 'blob', blob]);
  }

  async sizeOf(blob: string): Promise<number> {
    return Number(String(await this.git(['cat-file', '-s', blob])).trim());
  }

  async addBlob(bytes: Buffer): Promise<string> {
    return String(await this.git(['hash-object', '-w', '--stdin', '--no-filters'], { input: bytes })).trim();
  }

  async loadHead(index: string): Promise<void> {
    await this.git(['read-tree', this.#user.head ?? '--empty'], { index });
  }

  /** Every file of the commit that is checked out; submodules count as something that is not kept. */
  async headEntries(): Promise<EntryMap> {
    if (this.#user.head === null) return new Map();
    return readEntries(await this.git(['ls-tree', '-r', '-z', '--full-tree', this.#user.head]));
  }

  async indexEntries(index: string): Promise<EntryMap> {
    return readEntries(await this.git(['ls-files', '-s', '-z'], { index }));
  }

  get #gitDir(): string {
    return join(this.folder, 'git');
  }
}

export interface ScratchCall {
  readonly index?: string;
  readonly files?: string;
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `mode [type] object [stage] TAB path`, each with a NUL behind. */
function readEntries(output: Buffer): EntryMap {
  const lines = output.toString('latin1').split('\0').filter(Boolean);
  return new Map(lines.map(readEntry));
}

function readEntry(line: string): readonly [BytePath, TreeEntry] {
  const tab = line.indexOf('\t');
  const words = line.slice(0, tab).split(' ');
  const mode = words[0] ?? '';
  const blob = words.find((word) => /^[0-9a-f]{40,}$/.test(word)) ?? '';
  return [line.slice(tab + 1), toEntry(mode, blob)];
}

function toEntry(mode: string, blob: string): TreeEntry {
  if (mode === '120000') return { kind: 'link', blob };
  if (mode.startsWith('100')) return { kind: 'file', mode: mode === '100755' ? 0o755 : 0o644, blob };
  return { kind: 'unkept', why: 'special' };
}

/** In a list of folders separated by colons, a name in quotes may hold anything. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

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
  await putTree(source.store, await source.store.write(shown), files);
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

/**
 * Puts a tree into an empty temporary folder. A store remembers every folder it has handled and saves that a little later, so
 * this uses a separate store that is closed when this resolves.
 */
async function putTree({ gitDir }: TreeStore, tree: TreeId, folder: string): Promise<void> {
  const own = await openTreeStore(gitDir);
  try {
    await own.restore(tree, folder, { index: `${folder}.folder-index`, leaveOut: () => false, durable: false });
  } finally {
    await own.close();
  }
}
