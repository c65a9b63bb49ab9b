import type { TreeStore } from '../store/port.ts';
import type { ScratchRepository } from './scratch-repository.ts';

/**
 * Brings files of a repository into a store: many with few starts of git, and never more at once than can be held. Gives what
 * each is called there; one that a partial clone has not fetched, or that nobody could look at, has no name.
 */
export async function copyBlobs(
  scratch: ScratchRepository,
  store: Pick<TreeStore, 'addBlob'>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const lot of lotsOf(await sizesOf(scratch, [...new Set(ids)]))) {
    const answer = await scratch.git(['cat-file', '--batch'], { input: linesOf(lot) });
    for (const { id, bytes } of blobsIn(answer)) names.set(id, await store.addBlob(bytes));
  }
  return names;
}

interface SizedBlob {
  readonly id: string;
  readonly size: number;
}

async function sizesOf(scratch: ScratchRepository, ids: readonly string[]): Promise<readonly SizedBlob[]> {
  if (ids.length === 0) return [];
  const answer = await scratch.git(['cat-file', '--batch-check'], { input: linesOf(ids) });
  return answer
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [id = '', type, size] = line.split(' ');
      return type === 'blob' && Number(size) <= MAX_BLOB_BYTES ? [{ id, size: Number(size) }] : [];
    });
}

const MAX_BLOB_BYTES = 256 * 1024 * 1024;
const LOT_BYTES = 32 * 1024 * 1024;
const LOT_BLOBS = 5000;

function lotsOf(blobs: readonly SizedBlob[]): readonly (readonly string[])[] {
  const lots: string[][] = [];
  let room = 0;
  for (const { id, size } of blobs) {
    const last = lots.at(-1);
    if (last === undefined || size > room || last.length >= LOT_BLOBS) {
      lots.push([id]);
      room = LOT_BYTES - size;
    } else {
      last.push(id);
      room -= size;
    }
  }
  return lots;
}

/** `id blob size`, a line break, as many bytes, and a line break again. */
function* blobsIn(answer: Buffer): Generator<{ readonly id: string; readonly bytes: Buffer }> {
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(0x0a, at);
    const [id = '', , size = '0'] = answer.toString('latin1', at, end).split(' ');
    const from = end + 1;
    at = from + Number(size) + 1;
    yield { id, bytes: answer.subarray(from, at - 1) };
  }
}

const linesOf = (ids: readonly string[]): string => ids.map((id) => `${id}\n`).join('');
