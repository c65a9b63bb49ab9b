import { hash } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RunInfo } from '../../journal/port.ts';
import type { TreeFigures } from '../../protocol/metrics/count-tree.ts';

/** The runs of a tree, those above first. */
type Tree = readonly Pick<RunInfo, 'run' | 'tip'>[];

/**
 * Figures of trees that have ended, kept in `metrics.txt` of the home so that their records need not be read again. An entry
 * counts only while every run of the tree has the tip that it had when the records were counted.
 */
export class KeptFigures {
  readonly #file: string;
  readonly #version: string;
  readonly #trees: Map<string, KeptTree>;
  #isChanged = false;

  /** `version`: Troupe's own, because the next one may count differently. */
  constructor(home: string, version: string) {
    this.#file = join(home, 'metrics.txt');
    this.#version = version;
    this.#trees = this.#read();
  }

  find(tree: Tree): TreeFigures | undefined {
    const found = this.#trees.get(nameOf(tree));
    return found?.key === keyOf(tree) ? (JSON.parse(found.text) as TreeFigures) : undefined;
  }

  /** A tree that has not ended is left out: its times still change. */
  keep(tree: Tree, figures: TreeFigures): void {
    if (figures.life.endedAt === null) return;
    this.#trees.set(nameOf(tree), { key: keyOf(tree), text: JSON.stringify(figures) });
    this.#isChanged = true;
  }

  /** In one piece, so that a reader never sees half of it. If it cannot be written, the next command counts again. */
  save(): void {
    if (!this.#isChanged) return;
    const lines = [...this.#trees].map(([run, { key, text }]) => `${run} ${key} ${text}`);
    const content = Buffer.from(lines.join('\n'));
    const draft = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(draft, `${this.#headOf(content)}\n`, { mode: 0o600 });
      appendFileSync(draft, content);
      renameSync(draft, this.#file);
    } catch {
      rmSync(draft, { force: true });
    }
  }

  /** A file that is missing, damaged or of another version counts as empty. */
  #read(): Map<string, KeptTree> {
    try {
      const file = readFileSync(this.#file);
      const end = file.indexOf('\n');
      const content = file.subarray(end + 1);
      if (file.toString('utf8', 0, end) !== this.#headOf(content)) return new Map();
      return new Map(content.toString().split('\n').map(entryOf));
    } catch {
      return new Map();
    }
  }

  #headOf(content: Buffer): string {
    return `${this.#version} ${COUNTING} ${crc32(content)}`;
  }
}

/** The figures stay text until they are asked for: those of other projects never are. */
interface KeptTree {
  readonly key: string;
  readonly text: string;
}

function entryOf(line: string): [run: string, tree: KeptTree] {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  return [line.slice(0, first), { key: line.slice(first + 1, second), text: line.slice(second + 1) }];
}

/** Raised with every change of what is counted and how. */
const COUNTING = 1;

const nameOf = ([top]: Tree): string => top?.run ?? '';

function keyOf(tree: Tree): string {
  const tips = tree.map(({ tip }) => tip).join('+');
  return tree.length === 1 ? tips : hash('sha256', tips, 'base64url');
}
