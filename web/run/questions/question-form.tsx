import { CircleHelp, Gauge, ShieldQuestion } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { FILES_CHANGED } from '../../../src/core/look/open-questions.ts';
import type { Action } from '../../../src/protocol/web/action.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';
import { limitAnswerProblem, roleProblem } from '../../../src/protocol/operations/access.ts';
import { useRole } from '../../ui/use-role.ts';
import { Button, TextArea } from '../../ui/controls.tsx';
import { CommandTwin } from '../../ui/copy-button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { visibleText } from '../../ui/text.tsx';
import { Choices } from './choices.tsx';
import { whoAnswered } from './tree-questions.ts';
import { useQueryClient } from '@tanstack/react-query';
import { ApiProblem, performAction } from '../../api/client.ts';
import { questionsQuery } from '../../api/queries.ts';
import { toast } from '../../ui/toasts.tsx';

type AnswerState =
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
function useAnswer(run: string, question: QuestionView): Answering {
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

interface Props {
  /** The root run; the question's name leads from it to the asking run. */
  readonly run: string;
  readonly question: QuestionView;
  /** On a card: without the command. */
  readonly isShort?: boolean;
}

const ICONS = { ask: CircleHelp, limit: Gauge, permission: ShieldQuestion };

/** A question and the ways to answer it. The first answer from anywhere counts. */
export function QuestionForm({ run, question, isShort = false }: Props): ReactNode {
  const [text, setText] = useState('');
  const { state, give } = useAnswer(run, question);
  const Icon = ICONS[question.kind];
  const action: Action = {
    kind: 'answer',
    run,
    question: question.name,
    text: text === '' ? (question.choices[0] ?? '…') : text,
  };
  return (
    <div className="flex min-w-0 gap-2" data-question={question.id}>
      <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        {question.isAgain === true && <p className="text-sm text-warn">{FILES_CHANGED}</p>}
        <Markdown text={question.text} />
        <Answers {...{ run, question, isShort, state, text }} onText={setText} onGive={(word) => void give(word)} />
        {state.kind === 'refused' && (
          <p role="alert" className="text-sm text-bad">
            {visibleText(state.words)}
          </p>
        )}
        {!isShort && <CommandTwin action={action} />}
      </div>
    </div>
  );
}

interface AnswersProps {
  readonly run: string;
  readonly isShort: boolean;
  readonly question: QuestionView;
  readonly state: AnswerState;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onGive: (text: string) => void;
}

function Answers({ run, question, isShort, state, text, onText, onGive }: AnswersProps): ReactNode {
  const reasonOf = useAnswerReason(question);
  if (state.kind === 'given')
    return <p className="text-sm text-muted">Answered: {visibleText(state.text)}. It continues in a moment.</p>;
  const isBusy = state.kind === 'sending';
  if (question.choices.length > 0) return <Choices {...{ run, question, isShort, isBusy, reasonOf, onGive }} />;
  return <FreeAnswer {...{ text, isBusy, onText }} reason={reasonOf(text)} onGive={() => onGive(text)} />;
}

/** Why this browser may not give an answer; null where it may. */
function useAnswerReason({ kind }: QuestionView): (text: string) => string | null {
  const role = useRole();
  return (text) => roleProblem(role, 'answer') ?? (kind === 'limit' ? limitAnswerProblem(role, text) : null);
}

interface FreeAnswerProps {
  readonly text: string;
  readonly reason: string | null;
  readonly isBusy: boolean;
  readonly onText: (text: string) => void;
  readonly onGive: () => void;
}

function FreeAnswer({ text, reason, isBusy, onText, onGive }: FreeAnswerProps): ReactNode {
  const id = useId();
  const isEmpty = text.trim() === '';
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isEmpty && !isBusy && reason === null) onGive();
  };
  return (
    <form onSubmit={send} className="flex max-w-3xl min-w-48 flex-1 items-end gap-1.5">
      <label htmlFor={id} className="sr-only">
        Your answer
      </label>
      <TextArea
        id={id}
        isLow
        placeholder="Your answer (Ctrl Enter sends it)"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && send(event)}
      />
      <Button
        kind="primary"
        type="submit"
        isBusy={isBusy}
        disabledReason={reason ?? (isEmpty ? 'Write an answer first' : null)}
      >
        Answer
      </Button>
    </form>
  );
}
