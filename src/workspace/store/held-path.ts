import { HeldFolder } from '../../lib/held-folder.ts';
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

  async close(): Promise<void> {
    await this.#letGo(0);
    await this.#root.close();
  }

  async #letGo(depth: number): Promise<void> {
    for (const { folder } of this.#held.splice(depth)) await folder.close();
  }
}
