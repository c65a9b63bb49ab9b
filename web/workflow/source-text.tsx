import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { PlacedProblem, WorkflowPage } from '../../src/protocol/web/workflow-page.ts';
import { useSelection } from '../model/selection.ts';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { sourceLines, type SourceLine } from './source-lines.ts';

/** The file as its author wrote it, with its problems where they are. */
export function SourceText({ page: { text, file, problems } }: { readonly page: WorkflowPage }): ReactNode {
  const { lines, elsewhere } = useMemo(() => sourceLines(text ?? '', file, problems), [text, file, problems]);
  const [{ line: chosen }] = useSelection();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: it returns a promise in new browsers, which is no clean-up.
    place.current?.querySelector('[data-chosen]')?.scrollIntoView({ block: 'center' });
  }, [chosen]);
  return (
    <div ref={place}>
      {elsewhere.map((problem) => (
        <Problem key={`${problem.code} ${problem.message}`} problem={problem} />
      ))}
      {text === null ? (
        <Empty title="No text" why="This workflow comes from code, so there is no file to show." />
      ) : (
        <ol className="py-2 font-mono text-sm leading-5">
          {lines.map((line) => (
            <Line key={line.number} line={line} isChosen={line.number === chosen} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Line({
  line: { number, text, problems },
  isChosen,
}: {
  readonly line: SourceLine;
  readonly isChosen: boolean;
}): ReactNode {
  return (
    <li data-chosen={isChosen || undefined}>
      <div
        className={classNames(
          'flex',
          isChosen && 'bg-accent-soft',
          problems.length > 0 &&
            (problems.some(({ severity }) => severity === 'error') ? 'bg-bad-soft' : 'bg-warn-soft'),
        )}
      >
        <span className="num w-11 shrink-0 pr-3 text-right text-muted select-none">{number}</span>
        <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{visibleText(text)}</span>
      </div>
      {problems.map((problem) => (
        <Problem key={`${problem.code} ${problem.message}`} problem={problem} />
      ))}
    </li>
  );
}

function Problem({
  problem: { severity, code, message, hint, file, line },
}: {
  readonly problem: PlacedProblem;
}): ReactNode {
  const isError = severity === 'error';
  return (
    <div className={classNames('border-l-2 py-1 pr-3 pl-11 font-sans', isError ? 'border-bad' : 'border-warn')}>
      <p>
        <Badge tone={isError ? 'bad' : 'warn'}>{severity}</Badge> {visibleText(message)}
      </p>
      {hint !== null && <p className="text-muted">{visibleText(hint)}</p>}
      <p className="font-mono text-xs text-muted">
        {code}
        {file !== null && ` · ${visibleText(file)}${line === null ? '' : `:${line}`}`}
      </p>
    </div>
  );
}
