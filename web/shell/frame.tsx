import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { StartDialog } from '../board/start-form.tsx';
import { listenToKeys, shortcuts, useShortcut } from '../ui/shortcuts.ts';
import { Header } from './header.tsx';
import { Palette } from './palette.tsx';
import { PlugZap } from 'lucide-react';
import { hub, useLink } from '../api/hub.ts';
import { Dialog } from '../ui/boxes.tsx';
import { Kbd } from '../ui/controls.tsx';
import { overlays, useOverlay } from './overlays.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { questionsQuery } from '../api/queries.ts';
import { visibleText } from '../ui/text.tsx';
import { type News, newsOf, newsText, showNotice } from './news.ts';
import { pageTitle } from './page-title.ts';

/** Tells a person who looks elsewhere, or cannot look, that a run needs them or is over. */
function Attention(): ReactNode {
  const queries = useQueryClient();
  const { opening } = useLink();
  const { data: questions = [] } = useQuery(questionsQuery);
  const [said, setSaid] = useState('');
  // Several news may come before one of them is drawn: what was never drawn was never read aloud.
  const unsaid = useRef('');
  useEffect(() => void (unsaid.current = ''), [said]);
  const [since] = useState(() => Date.now());
  const cards = useRef(new Map<string, RunCard>());
  useEffect(() => pageTitle.count(questions.length), [questions.length]);
  useEffect(() => void queries.invalidateQueries({ queryKey: questionsQuery.queryKey }), [queries, opening]);
  useEffect(() => {
    const readQuestions = (): void => void queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
    const take = (card: RunCard): readonly News[] => {
      const before = cards.current.get(card.run);
      if (isFirstQuestion(before, card)) readQuestions();
      // A run that cannot be read for a moment keeps its known questions.
      cards.current.set(card.run, { ...card, details: card.details ?? before?.details ?? null });
      return newsOf(before, card, since);
    };
    return hub().follow({
      cards: true,
      heard: (batch) => {
        const all = batch.cards.flatMap(take);
        if (all.length === 0) return;
        if (all.some(({ kind }) => kind !== 'over')) readQuestions();
        for (const news of all) if (news.kind !== 'answered') showNotice(news);
        unsaid.current += ` ${visibleText(all.map(newsText).join(' '))}`;
        setSaid(unsaid.current.trim());
      },
    });
  }, [queries, since]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

/** A run that was not known yet may have come with its question. */
const isFirstQuestion = (before: RunCard | undefined, card: RunCard): boolean =>
  (before?.details ?? null) === null && (card.details?.questions.length ?? 0) > 0;

/** The keys that do something here, as they are registered now. */
function HelpDialog(): ReactNode {
  const overlay = useOverlay();
  const list = useSyncExternalStore(shortcuts.subscribe, shortcuts.list);
  useShortcut('?', 'Show these shortcuts', () => overlays.show('help'));
  const unique = [...new Map(list.map((one) => [one.keys, one])).values()];
  return (
    <Dialog title="Keyboard shortcuts" open={overlay?.kind === 'help'} onClose={() => overlays.close()}>
      <dl className="grid grid-cols-1 gap-x-6 sm:grid-cols-2">
        {unique.map(({ keys, label }) => (
          <div key={keys} className="flex items-center justify-between gap-3 border-b border-line py-1.5">
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="pt-2 text-sm text-muted">
        Graphs are drawn with{' '}
        <a href="https://reactflow.dev" target="_blank" rel="noopener noreferrer" className="text-accent underline">
          React Flow
        </a>
        .
      </p>
    </Dialog>
  );
}

/** Warns that the page may be out of date while the server cannot be reached. */
function LostBanner(): ReactNode {
  const { kind } = useLink();
  if (kind !== 'lost') return null;
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line bg-warn-soft px-4 py-1 text-warn">
      <PlugZap size={14} aria-hidden />
      <span className="flex-1">
        Connection lost, trying again. This page may be out of date; runs continue without it.
      </span>
      <button type="button" className="underline" onClick={() => hub().hurry()}>
        Try now
      </button>
    </div>
  );
}

export function Frame(): ReactNode {
  useEffect(listenToKeys, []);
  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <Header />
      <LostBanner />
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-none">
        <Outlet />
      </main>
      <Palette />
      <HelpDialog />
      <StartDialog />
      <Attention />
    </div>
  );
}
