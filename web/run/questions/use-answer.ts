import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { QuestionView } from '../../../src/protocol/question-view.ts';
import { ApiProblem } from '../../api/api-problem.ts';
import { performAction } from '../../api/perform.ts';
import { questionsQuery } from '../../api/queries.ts';
import { toast } from '../../ui/toasts.ts';
import { whoAnswered } from './who-answered.ts';

export type AnswerState =
  | { readonly kind: 'open' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'given'; readonly text: string }
  /** Somebody was first, or it could not be sent. */
  | { readonly kind: 'refused'; readonly words: string };

export interface Answering {
  readonly state: AnswerState;
  readonly give: (text: string) => Promise<void>;
}

/** Gives an answer. What the server says against it stands at the question. */
export function useAnswer(run: string, question: QuestionView): Answering {
  const queries = useQueryClient();
  const [state, setState] = useState<AnswerState>({ kind: 'open' });
  const give = async (text: string): Promise<void> => {
    setState({ kind: 'sending' });
    try {
      const files = question.mark === undefined ? {} : { files: question.mark };
      await performAction({ kind: 'answer', run, question: question.name, text, ...files });
      setState({ kind: 'given', text });
    } catch (error) {
      const words = await refusal(error, question);
      setState({ kind: 'refused', words });
      // A question that somebody else answered is gone in a moment, and these words with it.
      toast({ tone: 'bad', title: words });
    }
    await queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
  };
  return { state, give };
}

/** Mostly somebody else was first, and is named; else the server's own words. */
async function refusal(refused: unknown, question: QuestionView): Promise<string> {
  if (!(refused instanceof ApiProblem)) return String(refused);
  const first =
    refused.isUnreachable || refused.code === 'ANSWER_VOID' ? null : await whoAnswered(question).catch(() => null);
  return first ?? [refused.message, refused.hint].filter(Boolean).join(' ');
}
