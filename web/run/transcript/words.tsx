import type { ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { formatCount } from '../../ui/format.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { cutAt, textAt, wordsPath, type Path } from './record-text.ts';
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
  const path = line === null ? [] : wordsPath(line.record.fact);
  const length = line === null ? null : cutAt(line, path);
  if (length !== null) return <CutWords run={run} seq={seq} text={text} path={path} length={length} />;
  return isPlain ? <PlainText text={text} /> : <Markdown text={text} />;
}

interface CutProps extends Props {
  readonly path: Path;
  readonly length: number;
}

function CutWords({ run, seq, text, path, length }: CutProps): ReactNode {
  const { ask, fact, isReading, problem } = useRecord(run, seq);
  if (fact !== null) return <PlainText text={textAt(fact, path)} />;
  return (
    <>
      <PlainText text={`${text} …`} />
      <button type="button" className="text-accent underline" onClick={ask}>
        {isReading ? 'Reading …' : `Show all (${formatCount(length)} characters)`}
      </button>
      {problem !== null && <p className="text-bad">{problem}</p>}
    </>
  );
}
