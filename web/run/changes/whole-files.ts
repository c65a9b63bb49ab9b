import { problemOf } from '../../api/api-problem.ts';
import { address, runPath, sent } from '../../api/client.ts';
import type { LinePlace } from './line-note.ts';
import { visibleLine } from './patch-files.ts';

/** The two trees that are compared, and whose they are. */
export interface ComparedTrees {
  readonly run: string;
  readonly workspace: string;
  readonly before: string;
  readonly after: string;
}

export interface BothVersions {
  readonly before: string;
  readonly after: string;
}

/** Where a file of one of the trees is read from. */
export const fileAddress = ({ run, workspace }: ComparedTrees, tree: string, path: string): string =>
  address(runPath(run, '/file'), { workspace, path, tree });

const MOST = 60;

/** Files that somebody unfolded beyond what the patch shows, both versions of each, by the key of the change. */
class WholeFiles {
  readonly #known = new Map<string, BothVersions>();

  async read(trees: ComparedTrees, file: { readonly path: string; readonly key: string }): Promise<BothVersions> {
    const known = this.#known.get(file.key);
    if (known !== undefined) return known;
    const [before, after] = await Promise.all(
      [trees.before, trees.after].map((tree) => readText(fileAddress(trees, tree, file.path))),
    );
    const both = { before: before ?? '', after: after ?? '' };
    for (const [oldest] of this.#known) if (this.#known.size >= MOST) this.#known.delete(oldest);
    this.#known.set(file.key, both);
    return both;
  }

  /** Null where the file was not read, or has no such line. */
  line(key: string, { line, side }: LinePlace): string | null {
    const both = this.#known.get(key);
    if (both === undefined || line === 0) return null;
    return (side === 'old' ? both.before : both.after).split('\n')[line - 1] ?? null;
  }
}

export const wholeFiles = new WholeFiles();

/** As the lines of a patch are shown: nothing in it is hidden. */
async function readText(url: string): Promise<string> {
  const answer = await sent(url, {});
  if (!answer.ok) throw problemOf(answer.status, await answer.json().catch(() => null));
  return (await answer.text()).split('\n').map(visibleLine).join('\n');
}
