import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import type { TreeEntry } from '../store/port.ts';
import type { BlobStore } from './conflict.ts';
import type { EntryMap } from './entry-map.ts';
import { BIG_FILES, gitOutput } from './git-plumbing.ts';
import type { ConversionSettings, UserRepository } from './user-repository.ts';

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
      await copyFile(settings.infoAttributes, join(scratch.#gitDir, 'info', 'attributes')).catch(() => undefined);
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
