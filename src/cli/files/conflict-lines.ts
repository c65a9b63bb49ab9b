import type { Json, JsonObject } from '../../core/json.ts';
import type { ConflictView } from '../../host/deliver/conflict-view.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** A conflict in people's words, then what either side made of it. */
export function conflictLines({ path, kind, base, ours, theirs }: ConflictView): readonly string[] {
  const head = `conflict  ${path}: ${WORDS[kind] ?? kind}`;
  return [head, ...sideLines('yours', ours, base), ...sideLines('run', theirs, base)];
}

/** The same for what could not be taken out of the project again: the run's change is the beginning of both then. */
export function keptLines({ path, kind, base, ours }: ConflictView): readonly string[] {
  return [`kept      ${path}: ${KEPT_WORDS[kind] ?? WORDS[kind] ?? kind}`, ...sideLines('yours', ours, base)];
}

const KEPT_WORDS: Readonly<Record<string, string>> = {
  content: 'you changed lines that the run had changed',
  'both-added': 'the run had removed it, and you made it anew',
  'deleted-by-us': 'you deleted it, and the run had changed it',
  'deleted-by-them': 'the run had made it, and you changed it',
  mode: 'you changed its mode, and so had the run',
  link: 'you made the link lead elsewhere, and so had the run',
  binary: 'you changed it, and so had the run',
};

const WORDS: Readonly<Record<string, string>> = {
  content: 'you and the run changed the same lines',
  'both-added': 'you and the run both made it, with other content',
  'deleted-by-us': 'you deleted it, the run changed it',
  'deleted-by-them': 'the run deleted it, you changed it',
  mode: 'you and the run gave it other modes',
  link: 'it is a link, and you and the run made it lead elsewhere',
  type: 'it is a file on one side and a link on the other',
  binary: 'you and the run changed it, and it is not text',
  'folder-file': 'it is a folder on one side and a file on the other',
  unkept: 'its content is not kept: a special file, one that is too large or that may not be read',
  repository: 'it would be a git repository inside the project, whose settings git obeys',
  uncommitted: 'the change builds on work that you have not committed',
  filter: 'an outside program decides in what form git keeps it',
  submodule: 'it belongs to a repository inside the repository',
  changed: 'it was changed meanwhile',
  'in-the-way': 'a link or a file is where a folder should be',
  denied: 'it may not be opened',
  'not-empty': 'the folder holds something else',
  reserved: 'its name belongs to git',
};

const MOST_LINES = 6;

/** The lines that this side has and the beginning had not. */
function sideLines(label: string, side: Json | undefined, base: Json | undefined): readonly string[] {
  const text = textOf(side);
  if (text === null) return [];
  const known = new Set(textOf(base)?.split('\n'));
  const own = text.split('\n').filter((line) => !known.has(line));
  const shown = own.slice(0, MOST_LINES).map((line) => `    ${label.padEnd(5)} | ${oneLine(line, 100)}`);
  return own.length > MOST_LINES ? [...shown, `    ${label.padEnd(5)} | … ${own.length - MOST_LINES} more`] : shown;
}

function textOf(side: Json | undefined): string | null {
  if (typeof side !== 'object' || side === null || Array.isArray(side)) return null;
  const { text } = side as JsonObject;
  return typeof text === 'string' ? text : null;
}
