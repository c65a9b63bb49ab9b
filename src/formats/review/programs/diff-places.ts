import type { FileDiff } from '../../../host/perform/files/file-diffs.ts';
import type { PackedDiff, ReviewPack } from '../rules/review-state.ts';

/** For all implementations together, in characters of JSON: values in a workflow have a maximum size. */
const MOST_CHARS = 400_000;
const MOST_RANGES = 200;

/**
 * The changed files of each implementation and their changed lines, as far as there is room, the same for each. Citations of omitted
 * lines stay valid: the files themselves decide then.
 */
export function diffPlaces(
  implementations: readonly { readonly id: string; readonly files: readonly FileDiff[] }[],
): ReviewPack['diffs'] {
  const room = Math.floor(MOST_CHARS / Math.max(1, implementations.length));
  return Object.fromEntries(implementations.map(({ id, files }) => [id, placesIn(files, room)]));
}

function placesIn(files: readonly FileDiff[], room: number): PackedDiff {
  let left = room;
  const fits = (value: unknown): boolean => {
    if (left <= 0) return false;
    left -= JSON.stringify(value).length + 1;
    return left >= 0;
  };
  const named = files.map(({ path, how }) => ({ path, how })).filter(fits);
  const ranges = files
    .filter(({ hunks }) => hunks.length > 0)
    .map(({ path, hunks }) => [path, hunks.slice(0, MOST_RANGES).map(({ after }) => [...after])] as const)
    .filter(fits);
  return { files: named, hunks: Object.fromEntries(ranges) };
}
