import { Link } from '@tanstack/react-router';
import { FileDiff } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { ChoiceDetail } from '../../../src/core/record/question-fact.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';
import { Button, classNames } from '../../ui/controls.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { AgentName } from '../../ui/marks.tsx';
import { visibleText } from '../../ui/text.tsx';
import { type ChoiceGroup, choiceGroups, workspaceIn } from './choice-groups.ts';

interface ChoicesProps {
  /** The root run. */
  readonly run: string;
  readonly question: QuestionView;
  /** On a card of the board there is no room for candidates. */
  readonly isShort: boolean;
  readonly isBusy: boolean;
  readonly reasonOf: (text: string) => string | null;
  readonly onGive: (text: string) => void;
}

/** The answers that a question takes: a card for each that is described, and buttons for the others. */
export function Choices(props: ChoicesProps): ReactNode {
  const { run, question, isShort } = props;
  const { cards, plain } = choiceGroups(question);
  if (isShort && cards.length > 0)
    return (
      <Link to="/runs/$run" params={{ run }} className="font-medium text-accent hover:underline">
        Compare and choose
      </Link>
    );
  return (
    <div role="group" aria-label="Choices" className="flex flex-col gap-2">
      {cards.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-2">
          {cards.map((card, place) => (
            <li key={card.choices[0].answer} className="flex min-w-0">
              <ChoiceCard {...props} card={card} isFirst={place === 0} />
            </li>
          ))}
        </ul>
      )}
      {plain.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {plain.map((choice, place) => (
            <ChoiceButton key={choice.answer} {...props} choice={choice} isFirst={cards.length === 0 && place === 0} />
          ))}
        </div>
      )}
    </div>
  );
}

interface ChoiceCardProps extends ChoicesProps {
  readonly card: ChoiceGroup;
  readonly isFirst: boolean;
}

/** All that is known of one candidate, and the answers that choose it. */
function ChoiceCard({ card, isFirst, ...props }: ChoiceCardProps): ReactNode {
  const title = useId();
  const { workspace, description, choices } = card;
  return (
    <article
      aria-labelledby={title}
      className="flex min-w-0 flex-1 flex-col gap-1.5 rounded-md border border-line bg-surface px-3 py-2"
    >
      <h3 id={title} className="min-w-0 font-semibold">
        {workspace === undefined ? visibleText(choices[0].label ?? choices[0].answer) : <AgentName agent={workspace} />}
      </h3>
      <div className="choice-facts min-w-0 flex-1 text-sm">
        <Markdown text={description} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {choices.map((choice, place) => (
          <ChoiceButton
            key={choice.answer}
            {...props}
            choice={choice}
            isFirst={isFirst && place === 0}
            of={workspace}
          />
        ))}
        {workspace !== undefined && <DiffLink run={props.run} asking={props.question.run} workspace={workspace} />}
      </div>
    </article>
  );
}

interface ChoiceButtonProps extends Pick<ChoicesProps, 'isBusy' | 'reasonOf' | 'onGive'> {
  readonly choice: ChoiceDetail;
  /** The one that most people want. */
  readonly isFirst: boolean;
  /** What its card is about: several cards have a button with the same text. */
  readonly of?: string | undefined;
}

function ChoiceButton({ choice, isFirst, isBusy, reasonOf, onGive, of }: ChoiceButtonProps): ReactNode {
  const { answer, label = answer } = choice;
  return (
    <Button
      kind={isFirst ? 'primary' : 'plain'}
      className="max-w-full"
      aria-label={of === undefined ? undefined : `${visibleText(label)}: ${visibleText(of)}`}
      isBusy={isBusy}
      disabledReason={reasonOf(answer)}
      onClick={() => onGive(answer)}
    >
      <span className="truncate">{visibleText(label)}</span>
    </Button>
  );
}

interface DiffLinkProps {
  readonly run: string;
  /** The run that names the workspace. */
  readonly asking: string;
  readonly workspace: string;
}

function DiffLink({ run, asking, workspace }: DiffLinkProps): ReactNode {
  return (
    <Link
      to="/runs/$run"
      params={{ run }}
      search={{ tab: 'changes', workspace: workspaceIn(asking, workspace) }}
      className={classNames(
        'inline-flex h-7 items-center gap-1.5 rounded-md px-2 font-medium text-accent',
        'hover:bg-hover hover:underline',
      )}
    >
      <FileDiff size={14} aria-hidden /> See diff
      <span className="sr-only">of {visibleText(workspace)}</span>
    </Link>
  );
}
