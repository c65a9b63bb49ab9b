import type { ReactNode } from 'react';
import type { SaidEntry, EntryStanding } from '../../model/transcript-entry.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Author } from './author.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { Clamp } from './clamp.tsx';
import { SeqLink } from './seq-link.tsx';
import { ToolLine } from './tool-line.tsx';
import { Words } from './words.tsx';

const STANDINGS: Readonly<Record<EntryStanding, { readonly word: string; readonly why: string } | null>> = {
  joined: null,
  open: null,
  apart: { word: 'in this turn only', why: 'The turn failed, so later turns do not read it.' },
  lost: { word: 'not heard', why: 'The turn ended before the agent answered it.' },
  gone: { word: 'not sent any more', why: 'Cleared or trimmed away.' },
  undone: { word: 'undone', why: 'The run was put back to before it.' },
};

/** Something that was said, with the tools that were called for. */
export function SaidRow({ entry }: { readonly entry: SaidEntry }): ReactNode {
  const { message, uses, answer, run, seq, key } = entry;
  const standing = STANDINGS[entry.standing];
  return (
    <article
      className={classNames(
        'flex min-w-0 flex-col gap-0.5',
        standing !== null && 'border-l-2 border-dashed border-line-strong pl-2',
      )}
    >
      <header className="flex min-w-0 items-center gap-2">
        <Author message={message} />
        {message.role === 'system' && <span className="text-sm text-muted">sets the scene</span>}
        {standing !== null && (
          <span title={standing.why}>
            <Badge>{standing.word}</Badge>
          </span>
        )}
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {answer !== null && <AnswerFacts answer={answer} />}
          <SeqLink entry={entry} />
        </span>
      </header>
      {message.content !== '' && (
        <Clamp name={`${key} text`}>
          <Words run={run} seq={seq} text={message.content} isPlain={message.role === 'system'} />
        </Clamp>
      )}
      {uses.map((use) => (
        <ToolLine key={use.id} use={use} entry={entry} />
      ))}
    </article>
  );
}
