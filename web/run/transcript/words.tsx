import type { ReactNode } from 'react';
import type { Cut } from '../../../src/protocol/web/record-page.ts';
import { useTree } from '../../model/use-run.ts';
import { shortCount } from '../../../src/core/amount-text.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { cutOf, textAt } from './record-text.ts';
import { useRecord } from './use-record.ts';

interface Props {
  readonly run: string;
  readonly seq: number;
  readonly text: string;
  readonly isPlain?: boolean;
}

/** The chief text of a record. Of one that was too long to be sent there is the beginning, and the rest when it is asked for. */
export function Words({ run, seq, text, isPlain = false }: Props): ReactNode {
  const line = useTree((tree) => tree.runs.get(run)?.lines[seq - 1] ?? null);
  const cut = line === null ? null : cutOf(line, text);
  if (cut !== null) return <CutWords run={run} seq={seq} text={text} {...cut} />;
  return isPlain ? <PlainText text={text} /> : <Markdown text={text} />;
}

function CutWords({ run, seq, text, path, length }: Props & Cut): ReactNode {
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
