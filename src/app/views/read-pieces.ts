import { setImmediate as turn } from 'node:timers/promises';
import type { JournalRecord } from '../../core/record/fact.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { entry } from '../../protocol/metrics/counters.ts';
import type { Journal, StoredRecord, TreeRecord } from '../../journal/port.ts';

export interface PiecesOf {
  readonly run: RunId;
  /** Records with a number above this one. */
  readonly after: number;
  /** All of them unless it is said. */
  readonly limit?: number;
}

/**
 * Records of a run in order, in pieces that grow while they are small and shrink where messages are huge: neither a long run nor
 * a heavy one is ever in memory as a whole, and everybody else has a turn between.
 */
export async function* readPieces(
  journal: Pick<Journal, 'read'>,
  { run, after, limit = Infinity }: PiecesOf,
): AsyncGenerator<readonly StoredRecord[]> {
  let [reached, left, piece] = [after, limit, FIRST_PIECE];
  while (left > 0) {
    const wanted = Math.min(piece, left);
    const records = await journal.read(run, reached, wanted);
    if (records.length > 0) yield records;
    if (records.length < wanted) return;
    reached = records.at(-1)?.seq ?? reached;
    left -= records.length;
    piece = isHeavy(records) ? Math.max(1, piece >> 2) : Math.min(MOST_AT_ONCE, piece * 2);
    await turn();
  }
}

const FIRST_PIECE = 4;
const MOST_AT_ONCE = 256;
const HEAVY_CHARACTERS = 1024 * 1024;

const isHeavy = (records: readonly JournalRecord[]): boolean =>
  records.reduce((sum, { fact }) => sum + charactersIn(fact), 0) > HEAVY_CHARACTERS;

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + charactersIn(one), 0);
}

/** The same journal for one look: a tree of runs is read once, so that all parts of a view show the same moment. */
export function readOnce(journal: Journal): Journal {
  const runs = new Map<RunId, Promise<readonly StoredRecord[]>>();
  const trees = new Map<RunId, Promise<readonly TreeRecord[]>>();
  const wholeTree = (root: RunId) => entry(trees, root, () => journal.tree(root));
  const whole = (run: RunId) => entry(runs, run, () => readOwn(run));
  const readOwn = async (run: RunId): Promise<readonly StoredRecord[]> => {
    const own = (await wholeTree(rootRunId(run))).filter((one) => one.run === run);
    return own.length > 0 ? own.map(({ run: _run, ...record }) => record) : await journal.read(run);
  };
  return {
    ...journal,
    read: (run, after = 0, limit) =>
      after === 0 && limit === undefined ? whole(run) : journal.read(run, after, limit),
    tree: (root, after = 0, limit) =>
      after === 0 && limit === undefined ? wholeTree(root) : journal.tree(root, after, limit),
  };
}
