import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';

/** For tests: changes a folder in every way people and programs do. The same seed makes the same changes. */
export class RandomChanges {
  readonly #root: Buffer;
  #state: number;

  constructor(root: string, seed: number) {
    this.#root = Buffer.from(root);
    this.#state = seed;
  }

  /** One change; true when something was done. */
  change(): boolean {
    const all = this.#list();
    const entry = this.#pick(all);
    const kind = this.#below(11);
    if (kind <= 2 || entry === undefined) return this.#create();
    if (kind === 3) return this.#remove(entry);
    if (kind === 4) return this.#rename(entry);
    if (kind === 5) return this.#setMode(entry);
    if (kind <= 7) return this.#swapKind(entry);
    return this.#edit(entry);
  }

  #create(): boolean {
    const path = this.#newPath();
    if (path === null || isThere(path)) return false;
    this.#make(path);
    return true;
  }

  #make(path: Buffer): void {
    const kind = this.#below(6);
    if (kind === 0) mkdirSync(path, this.#pick(FOLDER_MODES));
    else if (kind === 1) symlinkSync(this.#pick(TARGETS) ?? 'x', path);
    else writeFileSync(path, this.#content(), { mode: this.#pick(FILE_MODES) });
  }

  #remove(path: Buffer): boolean {
    rmSync(path, { recursive: true, force: true });
    return true;
  }

  #rename(path: Buffer): boolean {
    const target = this.#newPath();
    const isInside = target !== null && target.subarray(0, path.length).equals(path);
    if (target === null || isInside || isThere(target)) return false;
    renameSync(path, target);
    return true;
  }

  #setMode(path: Buffer): boolean {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return false;
    chmodSync(path, this.#pick(stats.isDirectory() ? FOLDER_MODES : FILE_MODES) ?? 0o755);
    return true;
  }

  /** File, folder and link take each other's place. */
  #swapKind(path: Buffer): boolean {
    this.#remove(path);
    this.#make(path);
    return true;
  }

  #edit(path: Buffer): boolean {
    const stats = lstatSync(path);
    if (!stats.isFile() || (stats.mode & 0o200) === 0) return false;
    if (this.#below(2) === 0) appendFileSync(path, this.#content());
    else writeFileSync(path, this.#content());
    return true;
  }

  #content(): string | Buffer {
    const chosen = this.#pick(CONTENTS) ?? '';
    return this.#below(3) === 0 ? chosen : `${String(chosen)}${this.#below(1000)}`;
  }

  #newPath(): Buffer | null {
    const folders = [this.#root, ...this.#list().filter((path) => lstatSync(path).isDirectory())];
    const folder = this.#pick(folders);
    const name = this.#pick(NAMES);
    if (folder === undefined || name === undefined || folder.length > 600) return null;
    return Buffer.concat([folder, Buffer.from('/'), name]);
  }

  #list(): Buffer[] {
    const found: Buffer[] = [];
    const visit = (folder: Buffer): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
        if (entry.name.equals(Buffer.from('.git'))) continue;
        const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
        found.push(path);
        if (entry.isDirectory()) visit(path);
      }
    };
    visit(this.#root);
    return found;
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}

function isThere(path: Buffer): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const FILE_MODES = [0o644, 0o755, 0o600, 0o640, 0o444, 0o700, 0o664, 0o666];
const FOLDER_MODES = [0o755, 0o700, 0o775, 0o750];
const TARGETS = ['a.txt', '../..', '/etc/passwd', 'nowhere', '.', 'loop', 'ä', '\n'];
const CONTENTS: readonly (string | Buffer)[] = [
  '',
  'one\r\ntwo\r\n',
  '$Id$ $Date$\n',
  '* text=auto eol=crlf ident filter=evil\n*.txt working-tree-encoding=UTF-16\n',
  '\0\u0001\u0002',
  Buffer.from([0xff, 0xfe, 0, 10, 13]),
  'x'.repeat(10_000),
];
const NAMES: readonly Buffer[] = [
  ...['a.txt', 'A.txt', 'b', 'src', 'lib', '.gitattributes', '.gitignore', '.gitmodules-like', 'loop', '-rf', ' '].map(
    (name) => Buffer.from(name),
  ),
  ...['a\nb', 'tab\t.', '\u001b[31m', 'é'.normalize('NFC'), 'é'.normalize('NFD'), 'b.c', 'b-c', 'l'.repeat(255)].map(
    (name) => Buffer.from(name),
  ),
  Buffer.from([0xff, 0x2e, 0x80]),
];
