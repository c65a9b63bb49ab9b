import type { ReactNode } from 'react';
import { Badge } from '../../ui/marks.tsx';
import type { FileChange } from '../../../src/protocol/web/changes-page.ts';

const WORDS: Readonly<Record<FileChange['change'], string | null>> = {
  added: 'new',
  deleted: 'deleted',
  modified: null,
  mode: 'mode',
  type: 'other kind',
};

/** The change of a file, in a word and two numbers. */
export function ChangeCounts({ file }: { readonly file: FileChange }): ReactNode {
  const { change, added, removed, isBinary } = file;
  const word = WORDS[change];
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-sm">
      {word !== null && (
        <Badge tone={change === 'deleted' ? 'bad' : change === 'added' ? 'ok' : 'neutral'}>{word}</Badge>
      )}
      {isBinary === true && <Badge>binary</Badge>}
      <Counts added={added ?? 0} removed={removed ?? 0} />
    </span>
  );
}

export function Counts({ added, removed }: { readonly added: number; readonly removed: number }): ReactNode {
  if (added + removed === 0) return null;
  return (
    <span className="num whitespace-nowrap" aria-label={`${added} lines added, ${removed} removed`}>
      <span className="text-ok">+{added}</span> <span className="text-bad">−{removed}</span>
    </span>
  );
}
