import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { RunCard } from '../../src/protocol/web/run-card.ts';
import { hub, useLink } from '../api/hub.ts';
import { questionsQuery } from '../api/queries.ts';
import { visibleText } from '../ui/visible-text.ts';
import { newsOf, newsText, type News } from './news.ts';
import { notify } from './notices.ts';
import { pageTitle } from './page-title.ts';

/** Tells a person who looks elsewhere, or cannot look, that a run needs them or is over. */
export function Attention(): ReactNode {
  const queries = useQueryClient();
  const { opening } = useLink();
  const { data: questions = [] } = useQuery(questionsQuery);
  const [said, setSaid] = useState('');
  const cards = useRef(new Map<string, RunCard>());
  useEffect(() => pageTitle.count(questions.length), [questions.length]);
  useEffect(() => void queries.invalidateQueries({ queryKey: questionsQuery.queryKey }), [queries, opening]);
  useEffect(() => {
    const heard = (news: News): void => {
      if (news.kind !== 'over') void queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
      if (news.kind !== 'answered') notify(news);
      setSaid(visibleText(newsText(news)));
    };
    return hub().follow({
      cards: true,
      heard: (batch) => {
        for (const card of batch.cards) {
          for (const news of newsOf(cards.current.get(card.run), card)) heard(news);
          if (isFirstQuestion(cards.current.get(card.run), card))
            void queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
          cards.current.set(card.run, card);
        }
      },
    });
  }, [queries]);
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

/** A run that was not known yet may have come with its question. */
const isFirstQuestion = (before: RunCard | undefined, card: RunCard): boolean =>
  (before?.details ?? null) === null && (card.details?.questions.length ?? 0) > 0;
