import { shownPath } from '../../lib/confined-path.ts';
import type { ArtifactView } from '../../protocol/artifacts/artifact-view.ts';
import { localTime, space } from '../../protocol/amounts.ts';
import type { TextOptions } from '../terminal/terminal.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** Artifacts, oldest first: what and where; who, when and how large; the id. */
export function artifactsText(artifacts: readonly ArtifactView[], options: TextOptions): string {
  return artifacts.map((artifact) => artifactText(artifact, options)).join('\n');
}

const INDENT = '        ';

function artifactText(artifact: ArtifactView, { width, paint }: TextOptions): string {
  const { type, producer, phase, bytes, created_at, id } = artifact;
  const mark = nowText(artifact);
  const title = `${type.padEnd(6)}  ${paint('bold', artifactTitle(artifact))}`;
  const by = producer === phase ? producer : `${producer} in phase ${phase}`;
  const made = oneLine(`by ${by}, ${localTime(Date.parse(created_at))}, ${space(bytes)}`, 400);
  return [
    mark === null ? title : `${title}  ${paint('yellow', mark)}`,
    `${INDENT}${wrapWords(made, { width: width - INDENT.length, indent: INDENT })}`,
    `${INDENT}${paint('dim', shownPath(id))}`,
  ].join('\n');
}

/** `specs/plan.md, version 2`, so that one knows which. */
export const artifactTitle = ({ path, version }: Pick<ArtifactView, 'path' | 'version'>): string =>
  `${shownPath(path)}, version ${version}`;

/** How it differs from what was recorded; null where it does not. */
export function nowText({ now, undone }: ArtifactView): string | null {
  const words = undone === true ? 'undone' : null;
  const change = now === undefined ? null : NOW[now];
  return [words, change].filter((word) => word !== null).join(', ') || null;
}

const NOW: Readonly<Record<NonNullable<ArtifactView['now']>, string | null>> = {
  same: null,
  changed: 'changed since',
  replaced: 'replaced by a later version',
  gone: 'gone',
  unknown: 'its files are no longer stored',
};
