import { PathRefused } from '../../lib/confined-path.ts';
import { HeldFolder } from '../../lib/held-folder.ts';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import type { BytePath } from '../byte-path.ts';

/** Folders below one root, held one after the other. Asked in the order of their paths, each is opened once. */
export class HeldPath {
  readonly #root: HeldFolder;
  readonly #held: { readonly name: string; readonly folder: HeldFolder }[] = [];

  private constructor(root: HeldFolder) {
    this.#root = root;
  }

  static async open(root: string): Promise<HeldPath> {
    return new HeldPath(await HeldFolder.open(root));
  }

  /** Held until another folder is asked for. A link on the way is refused. */
  async at(path: BytePath): Promise<HeldFolder> {
    const names = path === '' ? [] : path.split('/');
    const common = this.#held.findIndex(({ name }, depth) => name !== names[depth]);
    await this.#letGo(common === -1 ? this.#held.length : common);
    for (const name of names.slice(this.#held.length)) {
      const above = this.#held.at(-1)?.folder ?? this.#root;
      this.#held.push({ name, folder: await above.child(Buffer.from(name, 'latin1')) });
    }
    return this.#held.at(-1)?.folder ?? this.#root;
  }

  /** Null where there is no such folder, or a link on the way. */
  async find(path: BytePath): Promise<HeldFolder | null> {
    return this.at(path).catch((error: unknown) => {
      if (error instanceof PathRefused) return null;
      throw error;
    });
  }

  async close(): Promise<void> {
    await this.#letGo(0);
    await this.#root.close();
  }

  async #letGo(depth: number): Promise<void> {
    for (const { folder } of this.#held.splice(depth)) await folder.close();
  }
}

/**
 * The same as `HeldPath` for going through very many folders at once: each is opened through the descriptor of the one above
 * and no link is followed, but nothing waits for another thread, and the paths that come out are plain text.
 */
export class QuickPath {
  readonly #root: number;
  #path: BytePath | null = '';
  readonly #held: { readonly name: string; readonly file: number }[] = [];

  private constructor(root: number) {
    this.#root = root;
  }

  /** Null on systems that do not show what a process holds open. */
  static open(root: string): QuickPath | null {
    return existsSync(DESCRIPTORS) ? new QuickPath(openSync(root, FOLDER)) : null;
  }

  /** The path prefix to open entries of this folder; held until another folder is requested. Throws system errors. */
  at(path: BytePath): string {
    // Mostly the same one again.
    if (path === this.#path) return this.#last;
    this.#path = null;
    const names = path === '' ? [] : path.split('/');
    const common = this.#held.findIndex(({ name }, depth) => name !== names[depth]);
    this.#letGo(common === -1 ? this.#held.length : common);
    for (const name of names.slice(this.#held.length)) {
      this.#held.push({ name, file: openSync(entryIn(this.#last, name), FOLDER | constants.O_NOFOLLOW) });
    }
    this.#path = path;
    return this.#last;
  }

  close(): void {
    this.#letGo(0);
    closeSync(this.#root);
  }

  get #last(): string {
    return `${DESCRIPTORS}/${this.#held.at(-1)?.file ?? this.#root}/`;
  }

  #letGo(depth: number): void {
    for (const { file } of this.#held.splice(depth)) closeSync(file);
  }
}

const DESCRIPTORS = '/proc/self/fd';
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;

/** Text where it can be: bytes take twice as long to open. */
export function entryIn(prefix: string, name: BytePath): string | Buffer {
  if (!isName(name)) throw new Error('not the name of an entry');
  return isPlainName(name) ? prefix + name : Buffer.concat([Buffer.from(prefix), Buffer.from(name, 'latin1')]);
}

/** Whether a name is the same as text and as bytes. */
export function isPlainName(name: BytePath): boolean {
  return PLAIN.test(name);
}

const PLAIN = /^[ -~]+$/;

function isName(name: BytePath): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/');
}
