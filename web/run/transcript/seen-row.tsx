import { useMemo, type ReactNode } from 'react';
import type { Message } from '../../../src/core/message.ts';
import { seenAs } from '../../model/seen-as.ts';
import type { SaidEntry } from '../../model/transcript-entry.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { Clamp } from './clamp.tsx';
import { JsonView } from './json-view.tsx';
import { SeqLink } from './seq-link.tsx';
import { Words } from './words.tsx';

interface Props {
  readonly entry: SaidEntry;
  readonly agent: string;
  readonly caller: Message | undefined;
}

const TONES: Readonly<Record<Message['role'], Tone>> = {
  system: 'neutral',
  user: 'info',
  assistant: 'accent',
  tool: 'neutral',
};

/** A message as an agent is shown it: its role, its words, and the name of whoever else said it in front. */
export function SeenRow({ entry, agent, caller }: Props): ReactNode {
  const seen = useMemo(() => seenAs(agent, entry.message, caller), [agent, entry.message, caller]);
  if (seen === null) return null;
  return (
    <article className="flex min-w-0 flex-col gap-0.5">
      <header className="flex items-center gap-2">
        <Badge tone={TONES[seen.role]}>{seen.role}</Badge>
        {seen.toolName !== undefined && (
          <span className="font-mono text-sm text-muted">{visibleText(seen.toolName)}</span>
        )}
        {seen.isError === true && <Badge tone="bad">error</Badge>}
        <span className="ml-auto">
          <SeqLink entry={entry} />
        </span>
      </header>
      {seen.content !== '' && (
        <Clamp name={`${entry.key} seen`}>
          <Words run={entry.run} seq={entry.seq} text={seen.content} isPlain />
        </Clamp>
      )}
      {(seen.toolCalls ?? []).map((call) => (
        <div key={call.id} className="border-l-2 border-line pl-2 text-sm">
          <span className="font-mono">{visibleText(call.name)}</span>
          <Clamp name={`${entry.key} ${call.id} given`}>
            <JsonView value={call.arguments} />
          </Clamp>
        </div>
      ))}
    </article>
  );
}
