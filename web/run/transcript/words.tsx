import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { RecordLine } from '../../../src/protocol/web/record-page.ts';
import { api, runPath } from '../../api/client.ts';
import { useTree } from '../../model/use-run.ts';
import { formatCount } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { cutAt, textAt, wordsPath, type Path } from './record-text.ts';

interface Props {
  readonly run: string;
  readonly seq: number;
  readonly text: string;
  readonly isPlain?: boolean;
  /** Where in the record it stands, where that is not its chief text. */
  readonly path?: Path;
}

/** A text of a record. Of one that was too long to be sent there is the beginning, and the rest when it is asked for. */
export function Words({ run, seq, text, isPlain = false, path }: Props): ReactNode {
  const line = useTree((tree) => tree.runs.get(run)?.lines[seq - 1] ?? null);
  const [isWhole, setWhole] = useState(false);
  const place = path ?? (line === null ? [] : wordsPath(line.record.fact));
  const length = line === null ? null : cutAt(line, place);
  const { data, error } = useQuery({
    queryKey: ['record', run, seq],
    queryFn: ({ signal }) => api.get<RecordLine>(runPath(run, `/records/${seq}`), {}, { signal }),
    enabled: isWhole,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  if (length === null) return isPlain ? <PlainText text={text} /> : <Markdown text={text} />;
  if (data !== undefined && isWhole) return <PlainText text={textAt(data.record.fact, place)} />;
  return (
    <>
      <PlainText text={`${text} …`} />
      <button type="button" className="text-accent underline" onClick={() => setWhole(true)}>
        {isWhole && error === null ? 'Reading …' : `Show all (${formatCount(length)} characters)`}
      </button>
      {error !== null && <p className="text-bad">{error.message}</p>}
    </>
  );
}
