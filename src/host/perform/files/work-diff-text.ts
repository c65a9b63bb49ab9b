import { shownPath } from '../../../lib/confined-path.ts';
import { withoutObjectIds, type TreeDiff } from '../../../workspace/changes/diff-trees.ts';

/** More is too much for an agent; files that are left out are named. */
const MOST_CHARS = 40_000;

/** Above this many, files are counted instead of listed. */
const MOST_FILES = 200;

/** The parts of a diff that a text needs. */
type ShownDiff = { readonly changes: readonly Pick<TreeDiff['changes'][number], 'path'>[] } & {
  readonly stat: Pick<TreeDiff['stat'], 'files'>;
  readonly patch: Buffer;
};

export function workDiffText({ changes, stat, patch }: ShownDiff): string {
  if (changes.length === 0) return 'Nothing was changed.';
  const text = withoutObjectIds(patch.toString('utf8').toWellFormed());
  const counted = new Map(stat.files.map((file) => [file.path, file]));
  const list = changes.slice(0, MOST_FILES).map(({ path }) => {
    const { added = 0, removed = 0, isBinary = false } = counted.get(path) ?? {};
    return `${shownPath(Buffer.from(path, 'latin1'))} ${isBinary ? '(binary)' : `+${added} -${removed}`}`;
  });
  if (changes.length > MOST_FILES) list.push(`[… ${changes.length - MOST_FILES} more files]`);
  const head = `${changes.length} changed:\n${list.join('\n')}`;
  if (text.length <= MOST_CHARS) return `${head}\n\n${text}`;
  const shown = text.slice(0, text.lastIndexOf('\n', MOST_CHARS));
  return `${head}\n\n${shown}\n[The diff is cut here: ${text.length - shown.length} more characters. ${notShown(text, shown.length)}]`;
}

/** The files after a cut, by the headers of the patch: no line of a file looks like one. */
function notShown(text: string, end: number): string {
  const heads = Array.from(text.matchAll(/^diff --git .* "?b\/(.*?)"?$/gm), ({ 1: path = '', index }) => ({
    path,
    index,
  }));
  const whole = heads.filter(({ index }) => index >= end).map(({ path }) => path);
  const partly = heads.findLast(({ index }) => index < end)?.path ?? 'the last file';
  const more = whole.length > MOST_FILES ? ` and ${whole.length - MOST_FILES} more` : '';
  const rest = whole.length === 0 ? '' : ` Not shown: ${whole.slice(0, MOST_FILES).join(', ')}${more}.`;
  return `Shown in part: ${partly}.${rest}`;
}
