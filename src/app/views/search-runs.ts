import { setImmediate as turn } from 'node:timers/promises';
import type { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import type { Journal, RunInfo } from '../../journal/port.ts';
import type { PROJECT } from '../../protocol/operations/project.ts';
import type { SearchHit, SearchPage } from '../../protocol/web/search-page.ts';
import { listedText } from './listed-runs.ts';
import { readPieces } from './read-pieces.ts';

/** The runs that are searched. */
export interface SearchedRuns {
  readonly journal: Pick<Journal, 'read'>;
  /** The newest first. */
  readonly roots: () => readonly RunInfo[];
  /** A run and those below it. */
  readonly tree: (run: RunId) => readonly RunInfo[];
}

type SearchWish = z.output<typeof PROJECT.search.request>;

/** Searches the records of a run, or what runs are about, no longer than it may take. */
export async function searchRuns(
  { journal, roots, tree }: SearchedRuns,
  request: SearchWish,
  options: { readonly signal?: AbortSignal; readonly withinMs?: number } = {},
): Promise<SearchPage> {
  const found = new FoundTexts(request, options);
  if (request.run === undefined) await searchAll(journal, roots(), found);
  else await searchTree(journal, knownTree(tree, runId(request.run)), found);
  return found.page();
}

function knownTree(treeOf: SearchedRuns['tree'], run: RunId): readonly RunInfo[] {
  const tree = treeOf(run);
  if (tree.length === 0) throw new Fault('RUN_UNKNOWN', `There is no run "${run}".`);
  return tree;
}

async function searchTree(
  journal: SearchedRuns['journal'],
  runs: readonly RunInfo[],
  found: FoundTexts,
): Promise<void> {
  for (const { run } of runs) {
    if (found.isOver) return;
    for await (const records of readPieces(journal, { run, after: 0 })) {
      for (const { seq, at, fact } of records) {
        const { kind, ...rest } = fact;
        found.look(rest, { run, seq, at, kind });
      }
      if (found.isOver) return;
    }
    await turn();
  }
}

/** In what the list shows of them, and in what came out of them, which stands near the end of their records. */
async function searchAll(journal: SearchedRuns['journal'], runs: readonly RunInfo[], found: FoundTexts): Promise<void> {
  for (const info of runs) {
    if (found.isOver) return;
    const { run, at } = info;
    const isListed = found.look(listedText(info), { run, seq: null, at, kind: 'run' });
    if (!isListed && info.status === 'settled') await searchOutput(journal, info, found);
    await turn();
  }
}

async function searchOutput(
  journal: SearchedRuns['journal'],
  { run, seq: newest }: RunInfo,
  found: FoundTexts,
): Promise<void> {
  // One damaged run must not hide the others.
  const records = await journal.read(run, Math.max(0, newest - NEAR_END)).catch(() => []);
  const settled = records.findLast(({ fact }) => fact.kind === 'run.settled');
  if (settled?.fact.kind !== 'run.settled') return;
  const { seq, at, fact } = settled;
  const { kind, output, failure } = fact;
  found.look({ output, failure }, { run, seq, at, kind });
}

const MOST_MS = 10_000;
const NEAR_END = 16;

type Path = readonly (string | number)[];

/** Looks for a text in all texts of a value, whatever its case; keys are no text. Keeps the first places and counts all. */
class FoundTexts {
  readonly #request: SearchWish;
  readonly #needle: RegExp;
  readonly #signal: AbortSignal | undefined;
  readonly #until: number;
  readonly #hits: SearchHit[] = [];
  #count = 0;
  #places = 0;
  #isWhole = true;

  constructor(request: SearchWish, { signal, withinMs = MOST_MS }: NonNullable<Parameters<typeof searchRuns>[2]>) {
    this.#request = request;
    this.#needle = new RegExp(request.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
    this.#signal = signal;
    this.#until = performance.now() + withinMs;
  }

  /** No one waits for it any more, or it took too long. */
  get isOver(): boolean {
    if (this.#signal?.aborted === true || performance.now() > this.#until) this.#isWhole = false;
    return !this.#isWhole;
  }

  /** Whether it is there. */
  look(value: object | string, where: Pick<SearchHit, 'run' | 'seq' | 'at' | 'kind'>): boolean {
    let first: Omit<SearchHit, keyof typeof where | 'count'> | null = null;
    let count = 0;
    for (const [text, path] of textsIn(value as Json, [])) {
      for (const match of text.matchAll(this.#needle)) {
        count += 1;
        first ??= { path, ...excerptOf(text, match.index, match[0].length) };
      }
    }
    if (first === null) return false;
    this.#places += 1;
    this.#count += count;
    if (this.#hits.length < this.#request.limit) this.#hits.push({ ...where, ...first, count });
    return true;
  }

  page(): SearchPage {
    const { text: query } = this.#request;
    return { query, hits: this.#hits, count: this.#count, places: this.#places, isWhole: this.#isWhole };
  }
}

function* textsIn(value: Json, path: Path): Generator<readonly [text: string, path: Path]> {
  if (typeof value === 'string') yield [value, path];
  else if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* textsIn(one, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* textsIn(one, [...path, key]);
}

const AROUND = 80;

/** In one line, with a mark where something was left out. */
function excerptOf(text: string, at: number, length: number): Pick<SearchHit, 'excerpt' | 'offset'> {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  const before = `${from > 0 ? '…' : ''}${text.slice(from, at)}`;
  const after = `${text.slice(at, to)}${to < text.length ? '…' : ''}`;
  return { excerpt: flat(before + after), offset: before.length };
}

/** As long as it was, so that offsets stay true; halves of characters that the cut made are no text either. */
const flat = (text: string): string => text.replaceAll(/[\r\n\t]/g, ' ').toWellFormed();
