import { FileDiff, MessagesSquare, ScrollText, SquareArrowOutUpRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { Button } from '../../ui/controls.tsx';
import { Duration, Money, Tokens } from '../../ui/figures.tsx';
import { AgentName, Badge, StatusMark } from '../../ui/marks.tsx';
import { visibleText } from '../../ui/text.tsx';
import { JsonView } from '../transcript/json-view.tsx';
import type { StepWork } from './step-work.ts';
import { waysOf } from './work-ways.ts';

interface Props {
  readonly visit: Visit;
  readonly root: string;
  readonly work: StepWork;
}

/** One piece of work: who did it, what it was given and what it answered, and the ways to more of it. */
export function WorkCard({ visit, root, work }: Props): ReactNode {
  const title = useId();
  const { kind, ended, given } = work;
  return (
    <article
      aria-labelledby={title}
      className="flex min-w-0 flex-col gap-2 rounded-md border border-line bg-surface px-3 py-2"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={title} className="flex min-w-0 items-center gap-1.5 font-semibold">
          <WorkName work={work} />
        </h3>
        <StatusMark status={ended?.outcome ?? 'running'} />
        <WorkFigures work={work} />
      </header>
      <Value title="Given" value={given} />
      <Value title="Failed" value={ended?.failure?.message ?? null} />
      <Value title={kind === 'command' ? 'Printed' : 'Answered'} value={answerIn(work)} />
      <WorkLinks visit={visit} root={root} work={work} />
    </article>
  );
}

function WorkName({ work: { who, kind, isAgent } }: Pick<Props, 'work'>): ReactNode {
  if (who === null) return KINDS[kind];
  return (
    <>
      {isAgent ? <AgentName agent={who} /> : visibleText(who)}
      <Badge>{KINDS[kind]}</Badge>
    </>
  );
}

function WorkFigures({ work: { startedAt, endedAt, calls, tools, tokens, costUsd } }: Pick<Props, 'work'>): ReactNode {
  return (
    <span className="num flex flex-wrap gap-x-3 text-sm text-muted">
      {endedAt !== null && <Duration ms={endedAt - startedAt} />}
      {calls > 0 && <span>{counted(calls, 'request')}</span>}
      {tools > 0 && <span>{counted(tools, 'tool call')}</span>}
      {tokens > 0 && (
        <>
          <span>
            <Tokens count={tokens} /> tok
          </span>
          <Money usd={costUsd} />
        </>
      )}
    </span>
  );
}

/** Of a command, what it printed: the rest is said elsewhere on the card. */
function answerIn({ kind, ended }: StepWork): Json {
  const output = ended?.output ?? null;
  return kind === 'command' && isJsonObject(output) && typeof output['output'] === 'string' ? output['output'] : output;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const KINDS: Readonly<Record<StepWork['kind'], string>> = {
  turn: 'turn',
  tell: 'message',
  clear: 'conversation cleared',
  command: 'command',
  call: 'workflow',
  ask: 'question',
  wait: 'wait',
  merge: 'merge',
  compute: 'engine',
  pool: 'pool',
};

/** Long texts are folded, so that the next part is in sight. */
function Value({ title, value }: { readonly title: string; readonly value: Json }): ReactNode {
  if (value === null) return null;
  const isLong = JSON.stringify(value).length > LONG;
  return (
    <details open={!isLong} className="min-w-0">
      <summary className="cursor-default text-sm font-medium text-muted">
        {title}
        {isLong && typeof value === 'string' && (
          <span className="font-normal"> · {visibleText(value.slice(0, 80))} …</span>
        )}
      </summary>
      <div className="max-h-96 overflow-auto pt-1 wrap-anywhere" tabIndex={-1}>
        <JsonView value={value} />
      </div>
    </details>
  );
}

const LONG = 1500;

const ICONS = { conversation: MessagesSquare, requests: ScrollText, files: FileDiff } as const;

function WorkLinks({ visit, root, work }: Props): ReactNode {
  const [, select] = useSelection();
  const isKnown = useTree((tree) => work.child !== null && tree.runs.has(work.child));
  const { child, kind } = work;
  const ways = waysOf(work, { root, visit, isBelowKnown: isKnown });
  const hasSteps = kind === 'call' && isKnown;
  if (ways.length === 0 && !hasSteps) return null;
  return (
    <p className="flex flex-wrap gap-1.5">
      {ways.map(({ label, kind: to, change }) => {
        const Icon = ICONS[to];
        return (
          <Button key={label} kind="quiet" onClick={() => select(change)}>
            <Icon size={14} aria-hidden /> {visibleText(label)}
          </Button>
        );
      })}
      {child !== null && hasSteps && (
        <Button kind="quiet" onClick={() => select({ ...NOTHING, run: child })}>
          <SquareArrowOutUpRight size={14} aria-hidden /> Steps of the workflow
        </Button>
      )}
    </p>
  );
}

/** The finer selection belongs to the run above. */
const NOTHING = { state: undefined, visit: undefined, task: undefined, seq: undefined, agent: undefined };
