import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem.ts';
import { perform } from '../../api/perform.ts';
import { questionsQuery } from '../../api/queries.ts';
import { toast } from '../../ui/toasts.ts';

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
export function useAnswer(run: string, question: string): Answering {
  const queries = useQueryClient();
  const [state, setState] = useState<AnswerState>({ kind: 'open' });
  const give = async (text: string): Promise<void> => {
    setState({ kind: 'sending' });
    try {
      await perform({ kind: 'answer', run, question, text });
      setState({ kind: 'given', text });
    } catch (error) {
      const words = refusal(error);
      setState({ kind: 'refused', words });
      // A question that somebody else answered is gone in a moment, and these words with it.
      toast({ tone: 'bad', title: words });
    }
    await queries.invalidateQueries({ queryKey: questionsQuery.queryKey });
  };
  return { state, give };
}

const refusal = (error: unknown): string =>
  error instanceof ApiProblem ? [error.message, error.hint].filter(Boolean).join(' ') : String(error);
