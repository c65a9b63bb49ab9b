import { useState, type ReactNode } from 'react';
import type { Action } from '../../../src/protocol/web/action.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { useAct } from '../../ui/use-act.ts';
import { newRunIn } from '../steering/answers.ts';
import { commentAction, commentText, type CommentPlace } from './comment-action.ts';
import { CommentBox } from './comment-box.tsx';
import { CommentDone, NobodyToTell } from './comment-done.tsx';
import type { WorkspaceAgent } from './workspace-choices.ts';

interface Props {
  readonly place: CommentPlace;
  readonly agents: readonly WorkspaceAgent[];
  readonly onClose: () => void;
}

/** A comment on a line: it goes to the agent whose work it is, with the line itself. */
export function CommentForm({ place, agents, onClose }: Props): ReactNode {
  const store = useRunStore();
  const { root } = store.get();
  const [comment, setComment] = useDraft(`${root} ${place.path} ${place.side} ${place.line}`);
  const [chosen, setChosen] = useState(0);
  const { state, send } = useSending();
  // Drawn again when the run ends: what becomes of a comment is another thing then.
  useTree((tree) => tree.runs.get(tree.root)?.snapshot.result);
  const agent = agents[chosen] ?? agents[0];
  if (agent === undefined) return <NobodyToTell onClose={onClose} />;
  if (state.kind === 'done') return <CommentDone run={state.run} agent={agent.agent} onClose={onClose} />;
  const told = commentAction(store.get(), agent, commentText(place, comment));
  return (
    <CommentBox
      {...{ place, agents, chosen, comment, told, onClose }}
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
      // Whoever acts has told it; what was written stays.
      setState({ kind: 'open' });
      return false;
    }
  };
  return { state, send };
}
