import type { Json } from '../../core/json.ts';
import type { Origin } from '../source/problem-report.ts';
import type { SourcePath } from '../source/source-path.ts';
import type { PhasePart } from './parse-phases.ts';

/** A file that an input names by its path, without a template: it should be there when the run begins. */
export interface NamedFile {
  readonly path: string;
  /** The phase, and where its file says so. */
  readonly where: string;
}

/** Those that no phase makes. */
export function namedFiles(parts: readonly PhasePart[], { file, locate }: Origin): readonly NamedFile[] {
  const made = parts.flatMap(({ owed }) => owed.flatMap(({ path }) => (path === null ? [] : [patternOf(path)])));
  return parts.flatMap(({ spec, key }) =>
    Object.entries(spec.input)
      .flatMap(([name, value]) => textsIn(value, [...spec.path, 'input', name]))
      .filter(({ text }) => key === spec.id && isPath(text) && !made.some((pattern) => pattern.test(text)))
      .map(({ text, path }) => {
        const at = locate(path);
        return { path: text, where: `"${spec.id}"${at === undefined ? '' : ` (${file}:${at.line})`}` };
      }),
  );
}

interface PlacedText {
  readonly text: string;
  readonly path: SourcePath;
}

function textsIn(value: Json, path: SourcePath): readonly PlacedText[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one, index) =>
    typeof one === 'string' ? [{ text: one, path: [...path, index] }] : [],
  );
}

/** With a folder and an ending: much else that is written has a dot or a slash in it. */
const isPath = (text: string): boolean =>
  /^(?:\.\/)?[\w@-][\w.@-]*(?:\/[\w.@-]+)+\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text);

/** What an output may turn out to be. */
function patternOf(path: string): RegExp {
  const plain = path.replace(/^\.\//, '');
  const parts = plain.split(/\$\{[^}]*\}|\*+|\?/).map((part) => part.replaceAll(/[.+^(){}|[\]\\$]/g, String.raw`\$&`));
  return new RegExp(`^(?:\\./)?${parts.join('.*')}(?:/.*)?$`);
}
