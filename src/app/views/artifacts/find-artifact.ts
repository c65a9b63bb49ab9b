import { Fault } from '../../../core/fault.ts';
import type { ArtifactView } from '../../../protocol/artifacts/artifact-view.ts';

/** A person need not write more of a hash than this. */
const SHORTEST_HASH = 4;

/**
 * The artifact that a person means: by its id; by its path, then the newest version counts; by `PATH#2`, its second version;
 * or by a beginning that only one has, of the id (also without the run) or of the hash. ARTIFACT_UNKNOWN, ARTIFACT_AMBIGUOUS.
 */
export function findArtifact(artifacts: readonly ArtifactView[], text: string, root: string): ArtifactView {
  const exact = newest(artifacts.filter(({ id }) => id === text || id === `${root}/${text}`));
  if (exact !== undefined) return exact;
  const { path, version } = pathAndVersion(text);
  const named =
    newest(artifacts.filter((one) => one.path === text)) ??
    newest(artifacts.filter((one) => one.path === path && one.version === version));
  if (named !== undefined) return named;
  const beginning = artifacts.filter((one) => text !== '' && beginsWith(one, text, root));
  const ids = [...new Set(beginning.map(({ id }) => id))];
  // One content that several recorded is one answer.
  const contents = new Set(beginning.map(({ path: at, hash }) => `${hash} ${at}`));
  const found = newest(beginning);
  if (found === undefined) throw unknown(artifacts, text, root);
  if (ids.length > 1 && contents.size > 1) throw ambiguous(text, ids);
  return found;
}

/** What was not undone comes first. */
const newest = (found: readonly ArtifactView[]): ArtifactView | undefined =>
  found.findLast(({ undone }) => undone === undefined) ?? found.at(-1);

function pathAndVersion(text: string): { readonly path: string; readonly version: number } {
  const match = /^([^]*)#(\d+)$/.exec(text.replace(/^\.\//, ''));
  return { path: match?.[1] ?? text.replace(/^\.\//, ''), version: Number(match?.[2] ?? Number.NaN) };
}

function beginsWith({ id, hash }: ArtifactView, text: string, root: string): boolean {
  if (id.startsWith(text) || id.startsWith(`${root}/${text}`)) return true;
  return text.length >= SHORTEST_HASH && hash.startsWith(text.toLowerCase());
}

function unknown(artifacts: readonly ArtifactView[], text: string, root: string): Fault {
  const paths = [...new Set(artifacts.map(({ path }) => path))];
  const some = paths.slice(0, 5).join(', ');
  return new Fault('ARTIFACT_UNKNOWN', `No artifact of run ${root} is "${text}".`, {
    hint:
      paths.length === 0
        ? 'The run has no artifacts.'
        : `It has: ${some}${paths.length > 5 ? ', …' : ''}. See: troupe artifacts ${root}`,
  });
}

function ambiguous(text: string, ids: readonly string[]): Fault {
  const some = ids.slice(0, 5).join(', ');
  return new Fault('ARTIFACT_AMBIGUOUS', `"${text}" is the beginning of ${ids.length} artifacts: ${some}.`, {
    hint: 'Write more of it, or its path.',
  });
}
