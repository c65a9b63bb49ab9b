import { hash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RunInfo } from '../../../journal/port.ts';
import { countTree, type TreeFigures } from '../../../protocol/metrics/count-tree.ts';
import { rootRunId, type RunId } from '../../../core/model/ids.ts';
import type { LiveEvent } from '../../../host/port.ts';
import { runsBelow, type TreeJournal, TreeReader } from '../../runs/tree-reader.ts';
import { replaceFileNow } from '../../../lib/replace-file.ts';
import { orElse } from '../../../lib/or-else.ts';

/** The runs of a tree, its root first. */
type Tree = readonly Pick<RunInfo, 'run' | 'tip'>[];

/**
 * Figures of trees that have ended, kept in `metrics.txt` of the home so that their records need not be read again. An entry
 * counts only while every run of the tree has the tip that it had when the records were counted. Each line has a checksum: a
 * torn or damaged one is ignored, and its tree is counted again.
 */
export class KeptFigures {
  readonly #file: string;
  readonly #head: string;
  readonly #trees: Map<string, KeptTree>;
  #isChanged = false;

  /** `version`: Troupe's own, because the next one may count differently. */
  constructor(home: string, version: string) {
    this.#file = fileIn(home);
    this.#head = headOf(version);
    this.#trees = this.#read();
  }

  find(tree: Tree): TreeFigures | undefined {
    const found = this.#trees.get(nameOf(tree));
    if (found?.key !== keyOf(tree) || found.sum !== String(crc32(found.text))) return undefined;
    return JSON.parse(found.text) as TreeFigures;
  }

  /** A tree that has not ended is left out: its times still change. */
  keep(tree: Tree, figures: TreeFigures): void {
    if (figures.life.endedAt === null) return;
    this.#trees.set(nameOf(tree), entryOf(lineOf(tree, figures))[1]);
    this.#isChanged = true;
  }

  /** In one piece, so that a reader never sees half of it. If it cannot be written, the next command counts again. */
  save(): void {
    if (!this.#isChanged) return;
    const lines = [...this.#trees].map(([run, { key, sum, text }]) => `${run} ${key} ${sum} ${text}`);
    rewrite(this.#file, [this.#head, ...lines].join('\n'));
  }

  /** A file that is missing or of another version counts as empty. */
  #read(): Map<string, KeptTree> {
    try {
      const [head, ...lines] = readFileSync(this.#file, 'utf8').split('\n');
      if (head !== this.#head) return new Map();
      const trees = new Map(lines.map(entryOf));
      // Runs that went on after their end leave old lines behind.
      this.#isChanged = lines.length > trees.size + MOST_OLD_LINES;
      return trees;
    } catch {
      return new Map();
    }
  }
}

/** Adds one tree that has ended, without reading the others. If it cannot be written, the next command counts again. */
export function appendFigures(place: { readonly home: string; readonly version: string }, tree: CountedTree): void {
  if (tree.figures.life.endedAt === null) return;
  const [file, head] = [fileIn(place.home), headOf(place.version)];
  const line = `\n${lineOf(tree.runs, tree.figures)}`;
  if (firstLine(file, head.length + 1) !== `${head}\n`) return rewrite(file, `${head}${line}`);
  try {
    // The line break comes first: it also ends a line that another process could not finish.
    appendFileSync(file, line);
  } catch {
    // A full disk: the line is missing, or torn and ignored.
  }
}

export interface CountedTree {
  readonly runs: Tree;
  readonly figures: TreeFigures;
}

const MOST_OLD_LINES = 1000;

const fileIn = (home: string): string => join(home, 'metrics.txt');

const headOf = (version: string): string => `${version} ${COUNTING}`;

/** Empty where there is no file. */
function firstLine(file: string, length: number): string {
  try {
    const handle = openSync(file, 'r');
    const bytes = Buffer.alloc(length);
    const read = readSync(handle, bytes, 0, length, 0);
    closeSync(handle);
    return bytes.toString('utf8', 0, read);
  } catch {
    return '';
  }
}

/** Without the file, runs are counted again. */
const rewrite = (file: string, content: string): void => orElse(() => replaceFileNow(file, content), undefined);

/** The figures stay text until they are asked for: those of other projects never are. */
interface KeptTree {
  readonly key: string;
  readonly sum: string;
  readonly text: string;
}

function lineOf(tree: Tree, figures: TreeFigures): string {
  const text = JSON.stringify(figures);
  return `${nameOf(tree)} ${keyOf(tree)} ${crc32(text)} ${text}`;
}

function entryOf(line: string): [run: string, tree: KeptTree] {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  const third = line.indexOf(' ', second + 1);
  const [key, sum] = [line.slice(first + 1, second), line.slice(second + 1, third)];
  return [line.slice(0, first), { key, sum, text: line.slice(third + 1) }];
}

/** Raised with every change of what is counted and how. */
const COUNTING = 3;

const nameOf = ([top]: Tree): string => top?.run ?? '';

function keyOf(tree: Tree): string {
  const tips = tree.map(({ tip }) => tip).toSorted();
  return tree.length === 1 ? tips.join('') : hash('sha256', tips.join('+'), 'base64url');
}

export interface FigurePlace {
  readonly home: string;
  readonly journal: TreeJournal;
  readonly version: string;
}

/** Counting a longer run would hold up the end of its process; `troupe metrics` counts it. */
const MOST_RECORDS = 5000;

/** Keeps the figures of the runs that ended in this process, so that `troupe metrics` need not read their records. */
export class FigureKeeper {
  readonly #place: FigurePlace;
  readonly #ended = new Set<RunId>();
  readonly #since = Date.now();

  constructor(place: FigurePlace) {
    this.#place = place;
  }

  heard(event: LiveEvent): void {
    if (event.kind === 'record' && event.record.fact.kind === 'run.settled') this.touched(event.run);
  }

  touched(run: RunId): void {
    this.#ended.add(rootRunId(run));
  }

  async close(): Promise<void> {
    for (const root of this.#ended) await keepFigures(this.#place, root, this.#since);
  }
}

/** Where records were written `since`. A run that cannot be read is reported by the commands that read it. */
export async function keepFigures({ journal, ...place }: FigurePlace, root: RunId, since = 0): Promise<void> {
  try {
    const runs = await runsBelow(journal, root);
    const records = runs.reduce((sum, { seq }) => sum + seq, 0);
    const isNew = runs.some(({ updatedAt }) => updatedAt >= since);
    if (runs[0]?.status !== 'settled' || !isNew || records > MOST_RECORDS) return;
    const read = await new TreeReader(journal, root).readOn();
    const figures = countTree(root, read, { isDriven: false, now: Date.now() });
    appendFigures(place, { runs, figures });
  } catch {
    // Counted by the next `troupe metrics`.
  }
}
