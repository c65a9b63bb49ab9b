import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { hub, useLink } from '../api/hub.ts';
import { questionsQuery } from '../api/queries.ts';
import { visibleText } from '../ui/visible-text.ts';
import { newsOf, newsText, type News } from './news.ts';
import { showNotice } from './notices.ts';
import { pageTitle } from './page-title.ts';

/** Tells a person who looks elsewhere, or cannot look, that a run needs them or is over. */
export function Attention(): ReactNode {
  const queries = useQueryClient();
  const { opening } = useLink();
  const { data: questions = [] } = useQuery(questionsQuery);
  const [said, setSaid] = useState('');
  const [since] = useState(() => Date.now());
  const cards = useRef(new Map<string, RunCard>());
  useEffect(() => pageTitle.count(questions.length), [questions.length]);
  useEffect(() => void queries.invalidateQueries({ queryKey: questionsQuery.queryKey }), [queries, opening]);
  useEffect(() => {
    const readQuestions = (): void => void queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
    const take = (card: RunCard): readonly News[] => {
      const before = cards.current.get(card.run);
      if (isFirstQuestion(before, card)) readQuestions();
      // Whoever cannot be read for a moment has not forgotten what was asked.
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
        setSaid(visibleText(all.map(newsText).join(' ')));
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
