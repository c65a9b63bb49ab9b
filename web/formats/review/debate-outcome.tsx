import { Combine, Gavel, MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { agentsAtWork } from '../../../src/core/fold/live-runs.ts';
import type { DebateEnd, DebateView, DecisionView } from '../../../src/formats/review/views/debate-view.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName, Badge, type Tone } from '../../ui/marks.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Money } from '../../ui/figures.tsx';
import { visibleText } from '../../ui/text.tsx';
import { VerdictBadge } from './severity-mark.tsx';
import type { Dissent } from '../../../src/formats/review/rules/ledger.ts';
import { useSelection } from '../../model/selection.ts';

/** The reviewers who disagree, with their reasons. */
function DissentList({ dissent }: { readonly dissent: readonly Dissent[] }): ReactNode {
  if (dissent.length === 0) return null;
  return (
    <details className="text-sm" open={dissent.length <= 3}>
      <summary className="cursor-default text-muted">
        {dissent.length} {dissent.length === 1 ? 'point' : 'points'} of dissent
      </summary>
      <ul className="flex flex-col gap-0.5 pt-1">
        {dissent.map((one, place) => (
          // The same reviewer may differ in more than one thing, and nothing moves.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className="flex flex-wrap items-center gap-1.5">
            <AgentName agent={one.reviewer} />
            <Words dissent={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Words({ dissent }: { readonly dissent: Dissent }): ReactNode {
  const [, select] = useSelection();
  if (dissent.kind === 'verdict')
    return (
      <>
        says <VerdictBadge verdict={dissent.verdict} />
      </>
    );
  if (dissent.kind === 'ranking') return <span>ranks {visibleText(dissent.ranking.join(' > '))}</span>;
  return (
    <span>
      {dissent.stance === null ? 'said nothing of ' : `${dissent.stance}s on `}
      <button
        type="button"
        className="font-mono text-accent underline"
        onClick={() => select({ finding: dissent.finding })}
      >
        {dissent.finding}
      </button>
      {dissent.reason !== '' && `: ${visibleText(dissent.reason)}`}
    </span>
  );
}

const ENDINGS: Readonly<Record<DebateEnd['came'], { readonly words: string; readonly tone: Tone }>> = {
  open: { words: 'continues', tone: 'accent' },
  consensus: { words: 'consensus', tone: 'ok' },
  stalemate: { words: 'stalemate', tone: 'warn' },
  'last-round': { words: 'no more rounds', tone: 'warn' },
  single: { words: 'one reviewer left', tone: 'warn' },
  nobody: { words: 'no reviewer left', tone: 'bad' },
};

/** How the debate stands, and what was decided, by whom and why. */
export function DebateOutcome({ debate }: { readonly debate: DebateView }): ReactNode {
  const { debates, decision, round, maxRounds } = debate;
  const speakers = useSpeakers(debate);
  const last = debates.at(-1);
  return (
    <section aria-label="Outcome" className="flex flex-col gap-2 border-b border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <MessagesSquare size={14} aria-hidden className="text-muted" />
        {last === undefined ? (
          <Badge>not begun</Badge>
        ) : (
          <Badge tone={ENDINGS[last.came].tone}>{ENDINGS[last.came].words}</Badge>
        )}
        <span className="text-muted">
          {debate.debate > 1 ? `final review ${debate.debate - 1}, ` : ''}
          {round === 0 ? 'first reviews, blind' : `round ${round} of at most ${maxRounds}`}
        </span>
        {speakers.map((speaker) => (
          <span key={speaker} className="flex items-center gap-1.5 text-muted">
            <AgentName agent={speaker} /> has the word
          </span>
        ))}
        <span className="ml-auto text-sm text-muted">
          the debate cost <Money usd={debate.spending.parts.debate.costUsd} /> of{' '}
          <Money usd={debate.spending.total.costUsd} />
        </span>
      </div>
      {decision !== null && <Decision decision={decision} />}
    </section>
  );
}

/** Reviewers whose turn is under way. */
function useSpeakers({ run, reviewers }: DebateView): readonly string[] {
  return useTree(
    (tree) => {
      const snapshot = tree.runs.get(run)?.snapshot;
      const names = snapshot === undefined ? [] : agentsAtWork([snapshot]);
      return reviewers.map(({ reviewer }) => reviewer).filter((reviewer) => names.includes(reviewer));
    },
    (a, b) => a.join() === b.join(),
  );
}

function Decision({ decision }: { readonly decision: DecisionView }): ReactNode {
  const { best, reason, isSynthesis, dissent, needs, parts } = decision;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <Gavel size={14} aria-hidden className="text-muted" />
        <VerdictBadge verdict={decision.decision} />
        {best !== null && <AgentName agent={best} />}
        {isSynthesis && (
          <Badge tone="info">
            <Combine size={11} aria-hidden /> a synthesis, no consensus
          </Badge>
        )}
        {needs !== null && (
          <Badge tone="warn">{needs === 'person' ? 'waits for your word' : 'waits for a synthesis'}</Badge>
        )}
      </div>
      <div className="max-w-prose">
        <Markdown text={reason} />
      </div>
      {parts.length > 0 && (
        <ul className="text-sm text-muted">
          {parts.map(({ implementation, paths }) => (
            <li key={implementation}>{visibleText(`${implementation}: ${paths.join(', ')}`)}</li>
          ))}
        </ul>
      )}
      <DissentList dissent={dissent} />
    </div>
  );
}
