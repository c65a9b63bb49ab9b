import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { Button } from '../../ui/button.tsx';
import { CommandTwin } from '../../ui/command-twin.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { useAct } from '../../ui/use-act.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { newRunIn } from '../steering/answers.ts';
import { commentAction, commentText, type CommentPlace } from './comment-action.ts';
import type { WorkspaceAgent } from './workspace-choices.ts';

interface Props {
  readonly place: CommentPlace;
  readonly agents: readonly WorkspaceAgent[];
  readonly onClose: () => void;
}

/** A comment on a line: it goes to the agent whose work it is, with the line itself. */
export function CommentForm({ place, agents, onClose }: Props): ReactNode {
  const id = useId();
  const store = useRunStore();
  const [comment, setComment] = useDraft(`${place.path} ${place.line}`);
  const [chosen, setChosen] = useState(0);
  const { state, send } = useSending();
  // Drawn again when the run ends: what becomes of a comment is another thing then.
  useTree((tree) => tree.runs.get(tree.root)?.snapshot.result);
  const agent = agents[chosen] ?? agents[0];
  if (agent === undefined) return <Nobody onClose={onClose} />;
  const told = commentAction(store.get(), agent, commentText(place, comment));
  if (state.kind === 'done') return <Done run={state.run} agent={agent.agent} onClose={onClose} />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (comment.trim() !== '' && told !== null) void send(told.action);
  };
  return (
    <form onSubmit={submit} className={BOX}>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="min-w-0 flex-1 truncate font-medium">
          {place.line === 0 ? `About ${visibleText(place.path)}` : `About line ${place.line}`}
        </label>
        <Select
          aria-label="To whom"
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
          options={agents.map(({ agent: name }, index) => ({ value: String(index), label: `to ${name}` }))}
        />
      </div>
      <TextArea
        id={id}
        isLow
        autoFocus
        placeholder="What should be different (Ctrl Enter sends it)"
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
          if (event.key === 'Escape') onClose();
        }}
      />
      <p className="text-sm text-muted">{told?.what ?? 'No step of this run is known to begin from.'}</p>
      {told !== null && comment.trim() !== '' && <CommandTwin action={told.action} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Leave it</Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={state.kind === 'sending'}
          disabledReason={comment.trim() === '' ? 'Write a comment first' : null}
        >
          {told?.action.kind === 'fork' ? 'Fork and tell' : 'Tell'}
        </Button>
      </div>
    </form>
  );
}

const DRAFTS = new Map<string, string>();

/** Lines out of sight are not drawn, and what was written under them must be there again when they are. */
function useDraft(key: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(DRAFTS.get(key) ?? '');
  const set = (next: string): void => {
    DRAFTS.set(key, next);
    setText(next);
  };
  return [text, set];
}

const BOX =
  'my-1 mr-3 ml-2 flex max-w-2xl flex-col gap-2 rounded-md border border-line bg-raised px-3 py-2 font-sans text-base';

type Sending = { readonly kind: 'open' | 'sending' } | { readonly kind: 'done'; readonly run: string | null };

function useSending(): { readonly state: Sending; readonly send: (action: Action) => Promise<void> } {
  const act = useAct();
  const [state, setState] = useState<Sending>({ kind: 'open' });
  const send = async (action: Action): Promise<void> => {
    setState({ kind: 'sending' });
    try {
      const answer = await act(action);
      DRAFTS.clear();
      setState({ kind: 'done', run: action.kind === 'fork' ? newRunIn(answer) : null });
    } catch {
      // It was told by whoever acts; what was written stays.
      setState({ kind: 'open' });
    }
  };
  return { state, send };
}

function Done({ run, agent, onClose }: { readonly run: string | null; readonly agent: string; readonly onClose: () => void }): ReactNode {
  return (
    <div role="status" className={`${BOX} flex-row! items-center`}>
      <span className="flex-1">{run === null ? `${visibleText(agent)} was told.` : 'The fork has begun.'}</span>
      {run !== null && (
        <Link to="/runs/$run" params={{ run }} className="text-accent underline">
          Open it
        </Link>
      )}
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}

function Nobody({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <div className={`${BOX} flex-row! items-center`}>
      <span className="flex-1">No agent works in these files, so there is nobody to tell.</span>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}
