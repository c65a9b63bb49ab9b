import type { ReactNode } from 'react';
import type { SaidEntry, ShownToolUse } from '../../model/transcript-entry.ts';
import { useTree } from '../../model/use-run.ts';
import { shortCount } from '../../../src/core/amount-text.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { JsonView } from './json-view.tsx';
import { callIn, cutInCall } from './record-text.ts';
import { useRecord } from './use-record.ts';

interface Props {
  readonly use: Pick<ShownToolUse, 'id' | 'given'>;
  readonly entry: Pick<SaidEntry, 'run' | 'seq'>;
}

/** What a tool was given. Of texts that were too long to be sent there is the beginning, and the rest when it is asked for. */
export function ToolGiven({ use: { id, given }, entry: { run, seq } }: Props): ReactNode {
  const line = useTree((tree) => tree.runs.get(run)?.lines[seq - 1] ?? null);
  const { ask, fact, isReading, problem } = useRecord(run, seq);
  const cut = line === null ? 0 : cutInCall(line, id);
  const whole = fact === null ? undefined : callIn(fact, id)?.arguments;
  return (
    <>
      <JsonView value={whole ?? given} />
      {cut > 0 && whole === undefined && (
        <button type="button" className="self-start text-accent underline" onClick={ask}>
          {isReading ? 'Reading …' : `What it was given is cut: show all (${shortCount(cut)} characters)`}
        </button>
      )}
      {problem !== null && <p className="text-bad">{visibleText(problem)}</p>}
    </>
  );
}
