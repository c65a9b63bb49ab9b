import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Cut, PageRecord } from '../../../src/protocol/web/record-page.ts';
import { useTree } from '../../model/use-run.ts';
import { durationText, shortCount } from '../../../src/core/look/amount-text.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { cutOf, textAt } from './record-text.ts';
import { classNames } from '../../ui/controls.tsx';
import { useOpen } from './open-rows.ts';
import { useQuery } from '@tanstack/react-query';
import type { Fact } from '../../../src/core/record/fact.ts';
import { api, runPath } from '../../api/client.ts';
import { totalTokens } from '../../../src/core/model/usage.ts';
import type { TranscriptAnswer } from '../../model/transcript-entry.ts';
import { Money } from '../../ui/figures.tsx';

export interface WholeRecord {
  readonly ask: () => void;
  /** Null until it is there. */
  readonly fact: Fact | null;
  readonly isReading: boolean;
  readonly problem: string | null;
}

/** A record with texts of any length, once somebody asks for it. */
export function useRecord(run: string, seq: number): WholeRecord {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching } = useQuery({
    queryKey: ['record', run, seq],
    queryFn: ({ signal }) => api.get<PageRecord>(runPath(run, `/records/${seq}`), {}, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const fact = isWanted ? (data?.record.fact ?? null) : null;
  return { ask: () => setWanted(true), fact, isReading: isFetching, problem: error?.message ?? null };
}

interface WordsProps {
  readonly run: string;
  readonly seq: number;
  readonly text: string;
  readonly isPlain?: boolean;
}

/** The chief text of a record. Of one that was too long to be sent there is the beginning, and the rest when it is asked for. */
export function Words({ run, seq, text, isPlain = false }: WordsProps): ReactNode {
  const line = useTree((tree) => tree.runs.get(run)?.lines[seq - 1] ?? null);
  const cut = line === null ? null : cutOf(line, text);
  if (cut !== null) return <CutWords run={run} seq={seq} text={text} {...cut} />;
  return isPlain ? <PlainText text={text} /> : <Markdown text={text} />;
}

function CutWords({ run, seq, text, path, length }: WordsProps & Cut): ReactNode {
  const { ask, fact, isReading, problem } = useRecord(run, seq);
  if (fact !== null) return <PlainText text={textAt(fact, path)} />;
  return (
    <>
      <PlainText text={`${text} …`} />
      <button type="button" className="text-accent underline" onClick={ask}>
        {isReading ? 'Reading …' : `Show all (${shortCount(length)} characters)`}
      </button>
      {problem !== null && <p className="text-bad">{problem}</p>}
    </>
  );
}

interface ClampProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** Long texts by their beginning, until they are unfolded. */
export function Clamp({ name, children }: ClampProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, toggle] = useOpen(name);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && !isOpen) setLong(element.scrollHeight > element.clientHeight + 24);
  }, [children, isOpen]);
  return (
    <>
      <div
        ref={box}
        className={classNames(
          'min-w-0',
          !isOpen && 'max-h-52 overflow-hidden',
          !isOpen && isLong && '[mask-image:linear-gradient(to_bottom,black_80%,transparent)]',
        )}
      >
        {children}
      </div>
      {(isLong || isOpen) && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="self-start text-sm text-accent hover:underline"
          onClick={toggle}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  );
}

/** Which model answered, how long it took and what it cost. */
export function AnswerFacts({
  answer: { model, usage, costUsd, ms },
}: {
  readonly answer: TranscriptAnswer;
}): ReactNode {
  const { inputTokens, outputTokens, cacheReadTokens } = usage;
  const title = `${inputTokens} tokens in (${cacheReadTokens} from the cache), ${outputTokens} out, ${durationText(ms)}`;
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted max-sm:hidden" title={title}>
      <span className="max-w-32 truncate">{visibleText(model)}</span>
      <span className="num">{shortCount(totalTokens(usage))}</span>
      <Money usd={costUsd} />
    </span>
  );
}
