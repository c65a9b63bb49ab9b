import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { useAct } from '../../ui/use-act.ts';
import { useRoleReason } from '../../ui/use-role.ts';
import { newRunIn } from '../steering/answers.ts';
import type { WorkspaceAgent } from './workspace-choices.ts';
import { Button, Select, TextArea } from '../../ui/controls.tsx';
import { CommandTwin } from '../../ui/copy-button.tsx';
import { visibleText } from '../../ui/text.tsx';
import { NOTE_BOX } from './note-box.ts';
import { Link } from '@tanstack/react-router';
import { type ForkPoint, forkPointOf, lastTurnOf } from '../../model/fork-points.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { NotePlace } from './notes-on-file.ts';

interface CommentPlace extends NotePlace {
  /** The line itself, where it is known. */
  readonly code: string | null;
}

/** The action of a comment: a message to the agent while its run continues; after that a fork with the message. */
interface CommentAction {
  readonly action: Action;
  /** In words, before anybody presses anything. */
  readonly what: string;
}

export function commentAction(tree: RunTree, { run, agent }: WorkspaceAgent, text: string): CommentAction | null {
  if (tree.runs.get(run)?.snapshot.result === null) {
    return {
      action: { kind: 'tell', run, agent, text },
      what: `${agent} hears it before it continues, at the latest in its next turn. Nothing is interrupted.`,
    };
  }
  const point = lastTurnOf(tree, agent) ?? forkPointOf(tree, {});
  return point === null
    ? null
    : { action: forkTelling(tree.root, point, { agent, text }), what: forkWords(agent, point) };
}

const forkTelling = (
  run: string,
  { at }: ForkPoint,
  tell: { readonly agent: string; readonly text: string },
): Action => ({
  kind: 'fork',
  run,
  at,
  tell: [tell],
});

const forkWords = (agent: string, { name }: ForkPoint): string =>
  `This run is over, so a new one begins as it was at ${name}, the last step of ${agent}, and ${agent} gets this message first. All after that step is done again there; this run stays as it is.`;

/** The place, the line itself and the comment, so that the agent need not look for the line. */
export function commentText(place: CommentPlace, comment: string): string {
  const { line, code } = place;
  return [`About ${whereText(place)}:`, ...(code === null || line === 0 ? [] : [`> ${code}`]), '', comment.trim()].join(
    '\n',
  );
}

/** A line that is not there any more has a number only in what was before. */
function whereText({ path, line, side }: CommentPlace): string {
  if (line === 0) return path;
  return side === 'old' ? `${path}, a line that was removed (line ${line} before)` : `${path}, line ${line}`;
}

interface CommentBoxProps {
  readonly place: CommentPlace;
  readonly agents: readonly WorkspaceAgent[];
  /** Which of them hears it. */
  readonly chosen: number;
  readonly comment: string;
  /** The action of the comment; null if none is possible. */
  readonly planned: CommentAction | null;
  readonly isBusy: boolean;
  readonly onChoose: (agent: number) => void;
  readonly onComment: (comment: string) => void;
  readonly onSend: (action: Action) => void;
  readonly onClose: () => void;
}

/** Where a comment is written, with what becomes of it said before it is sent. */
function CommentBox(props: CommentBoxProps): ReactNode {
  const { place, agents, chosen, comment, planned, isBusy, onChoose, onComment, onSend, onClose } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isEmpty = comment.trim() === '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isEmpty && !isBusy && planned !== null) onSend(planned.action);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    if (event.key === 'Escape') onClose();
  };
  return (
    <form onSubmit={submit} className={`${NOTE_BOX} flex max-w-2xl flex-col gap-2`}>
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="min-w-0 flex-1 truncate font-medium">
          {aboutText(place)}
        </label>
        <Select
          aria-label="To whom"
          value={String(chosen)}
          onChange={(value) => onChoose(Number(value))}
          options={agents.map(({ agent }, index) => ({ value: String(index), label: `to ${agent}` }))}
        />
      </div>
      <TextArea
        ref={field}
        id={id}
        isLow
        placeholder="What should change (Ctrl Enter sends it)"
        value={comment}
        onChange={(event) => onComment(event.target.value)}
        onKeyDown={press}
      />
      <p className="text-sm text-muted">{planned?.what ?? 'No step of this run is known to begin from.'}</p>
      {planned !== null && !isEmpty && <CommandTwin action={planned.action} />}
      <Buttons
        {...{ isBusy, isEmpty, onClose }}
        kind={planned?.action.kind ?? 'tell'}
        verb={planned?.action.kind === 'fork' ? 'Fork and send' : 'Tell'}
      />
    </form>
  );
}

function aboutText({ path, line, side }: CommentPlace): string {
  if (line === 0) return `About ${visibleText(path)}`;
  return side === 'old' ? `About line ${line}, which was removed` : `About line ${line}`;
}

interface ButtonsProps {
  readonly isBusy: boolean;
  readonly isEmpty: boolean;
  readonly kind: Action['kind'];
  readonly verb: string;
  readonly onClose: () => void;
}

function Buttons({ isBusy, isEmpty, kind, verb, onClose }: ButtonsProps): ReactNode {
  const reason = useRoleReason(kind) ?? (isEmpty ? 'Write a comment first' : null);
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" isBusy={isBusy} disabledReason={reason}>
        {verb}
      </Button>
    </div>
  );
}

interface CommentDoneProps {
  /** The started fork; null if the agent got the comment directly. */
  readonly run: string | null;
  readonly agent: string;
  readonly onClose: () => void;
}

function CommentDone({ run, agent, onClose }: CommentDoneProps): ReactNode {
  return (
    <div role="status" className={`${NOTE_BOX} flex max-w-2xl items-center gap-2`}>
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

function NoAgentToTell({ onClose }: Pick<CommentDoneProps, 'onClose'>): ReactNode {
  return (
    <div className={`${NOTE_BOX} flex max-w-2xl items-center gap-2`}>
      <span className="flex-1">No agent works in these files, so there is no one to send this to.</span>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}

interface CommentFormProps {
  readonly place: CommentPlace;
  readonly agents: readonly WorkspaceAgent[];
  readonly onClose: () => void;
}

/** A comment on a line: it goes to the agent whose work it is, with the line itself. */
export function CommentForm({ place, agents, onClose }: CommentFormProps): ReactNode {
  const store = useRunStore();
  const { root } = store.get();
  const [comment, setComment] = useDraft(`${root} ${place.path} ${place.side} ${place.line}`);
  const [chosen, setChosen] = useState(0);
  const { state, send } = useSending();
  // Drawn again when the run ends, since a comment then starts a fork.
  useTree((tree) => tree.runs.get(tree.root)?.snapshot.result);
  const agent = agents[chosen] ?? agents[0];
  if (agent === undefined) return <NoAgentToTell onClose={onClose} />;
  if (state.kind === 'done') return <CommentDone run={state.run} agent={agent.agent} onClose={onClose} />;
  const planned = commentAction(store.get(), agent, commentText(place, comment));
  return (
    <CommentBox
      {...{ place, agents, chosen, comment, planned, onClose }}
      isBusy={state.kind === 'sending'}
      onChoose={setChosen}
      onComment={setComment}
      onSend={(action) => void send(action).then((isSent) => isSent && setComment(''))}
    />
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

type Sending = { readonly kind: 'open' | 'sending' } | { readonly kind: 'done'; readonly run: string | null };

function useSending(): { readonly state: Sending; readonly send: (action: Action) => Promise<boolean> } {
  const act = useAct();
  const [state, setState] = useState<Sending>({ kind: 'open' });
  const send = async (action: Action): Promise<boolean> => {
    setState({ kind: 'sending' });
    try {
      const answer = await act(action);
      setState({ kind: 'done', run: action.kind === 'fork' ? newRunIn(answer) : null });
      return true;
    } catch {
      // `act` has shown the error; the written text stays.
      setState({ kind: 'open' });
      return false;
    }
  };
  return { state, send };
}
