import type { ReactNode } from 'react';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { useSelection } from '../../model/selection.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { shortCount } from '../../../src/core/amount-text.ts';
import { PlainText } from '../../ui/plain-text.tsx';
import { isConversation } from '../transcript/conversation-kinds.ts';
import { useRecord } from '../transcript/use-record.ts';

/** A record as JSON. What was too long to be sent is fetched when it is wanted. */
export function EventJson({ line }: { readonly line: PageRecord }): ReactNode {
  const { run, record } = line;
  const whole = useRecord(run, record.seq);
  const text = JSON.stringify({ ...record, fact: whole.fact ?? record.fact }, null, 2);
  return (
    <div className="flex items-start gap-1 bg-sunken py-1 pr-2 pl-9">
      <div className="min-w-0 flex-1">
        <PlainText text={text} />
        {whole.fact === null && <CutNote line={line} isReading={whole.isReading} onAsk={whole.ask} />}
        {whole.problem !== null && <p className="text-sm text-bad">{whole.problem}</p>}
        {isConversation(record.fact.kind) && <ToConversation seq={record.seq} />}
      </div>
      <CopyButton label="Copy the record" text={() => text} />
    </div>
  );
}

interface CutProps {
  readonly line: PageRecord;
  readonly isReading: boolean;
  readonly onAsk: () => void;
}

function CutNote({ line: { cut }, isReading, onAsk }: CutProps): ReactNode {
  if (cut === undefined) return null;
  const length = cut.reduce((sum, one) => sum + one.length, 0);
  const words = `${cut.length} ${cut.length === 1 ? 'text is' : 'texts are'} cut: show all (${shortCount(length)} characters)`;
  return (
    <button type="button" className="text-sm text-accent underline" onClick={onAsk}>
      {isReading ? 'Reading …' : words}
    </button>
  );
}

function ToConversation({ seq }: { readonly seq: number }): ReactNode {
  const [, select] = useSelection();
  return (
    <button
      type="button"
      className="block text-sm text-accent underline"
      onClick={() => select({ tab: 'transcript', context: '*', seq, task: undefined, state: undefined })}
    >
      Show it in the conversation
    </button>
  );
}
