import {
  Bot,
  Braces,
  Check,
  CircleDashed,
  CircleHelp,
  Clock,
  Cpu,
  Eraser,
  Flag,
  GitMerge,
  Layers,
  MessageSquare,
  Milestone,
  Minus,
  Pause,
  Plus,
  Rows3,
  SquareTerminal,
  TriangleAlert,
  Workflow,
  X,
} from 'lucide-react';
import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import { classNames } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { useCanvas, useCanvasState } from './canvas-store.ts';
import { isSameLook, NO_LOOK, type NodeLook, nodeLook } from '../../model/graph-state.ts';
import type { PlacedProblem } from '../../../src/protocol/web/workflow-page.ts';
import { useAgentColour } from '../../ui/marks.tsx';
import type { FlowNodeData } from './flow-elements.ts';
import { useLive } from './use-live.ts';
import { counted } from '../../../src/protocol/amounts.ts';

/** The second line of a node: the activity inside, else the agent or command. */
export const detailOf = ({ detail, inside }: GraphNode, look: NodeLook): string =>
  inside === 'open' || look.inside === '' ? detail : look.inside;

/** The accessible name: `turn review, active, visit 2`. It contains the visible text word for word, for users of speech input. */
export function nodeName(node: GraphNode, look: NodeLook): string {
  const kind = node.kind === 'lane' ? 'unit' : node.kind;
  const named = [kind, node.label, detailOf(node, look)].filter((part) => part !== '').join(' ');
  const { word, visits } = look;
  return [named, word, visits > 0 ? `visit ${visits}` : ''].filter((part) => part !== '').join(', ');
}

/** All inputs of a node: it is drawn again only when one of these changes. */
export function useNode({ node, pool }: FlowNodeData): NodeOnCanvas {
  const look = useLive((tree) => nodeLook(tree, node, pool), NO_LOOK, isSameLook);
  const agentColour = useAgentColour(look.agent ?? '');
  return {
    look,
    colour: look.agent === null ? 'var(--muted)' : agentColour,
    isSelected: useCanvasState(({ selected }) => selected === node.id),
    isReached: useCanvasState(({ focused }) => focused === node.id),
  };
}

interface NodeOnCanvas {
  readonly look: NodeLook;
  readonly colour: string;
  readonly isSelected: boolean;
  readonly isReached: boolean;
}

interface Props {
  readonly node: GraphNode;
  readonly on: NodeOnCanvas;
  readonly className: string;
  readonly children: ReactNode;
}

/** The part of a node that is chosen, pointed at and read aloud. */
export function NodeButton({ node, on, className, children }: Props): ReactNode {
  const { store, select, toggle } = useCanvas();
  const { look, isSelected, isReached } = on;
  const canFold = toggle !== null && node.inside !== 'none';
  const fold = (event: KeyboardEvent): void => {
    if (!canFold || event.key !== 'Enter' || !event.shiftKey) return;
    event.preventDefault();
    toggle(node);
  };
  return (
    <button
      type="button"
      data-node={node.id}
      data-status={look.status}
      aria-label={visibleText(nodeName(node, look))}
      aria-pressed={isSelected}
      aria-keyshortcuts={canFold ? 'Shift+Enter' : undefined}
      tabIndex={isReached ? 0 : -1}
      title={look.failure === null ? undefined : visibleText(look.failure)}
      className={classNames('graph-node nodrag', className)}
      onClick={() => select(node)}
      onDoubleClick={() => (canFold ? toggle(node) : undefined)}
      onKeyDown={fold}
      onFocus={() => store.set({ focused: node.id })}
      onMouseEnter={() => store.set({ hovered: node.id })}
      onMouseLeave={() => store.set({ hovered: null })}
    >
      {children}
    </button>
  );
}

/** Shows or hides what is inside. */
export function FoldButton({ node }: { readonly node: GraphNode }): ReactNode {
  const { toggle } = useCanvas();
  if (toggle === null) return null;
  const isOpen = node.inside === 'open';
  const Icon = isOpen ? Minus : Plus;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${isOpen ? 'Hide' : 'Show'} what is inside of ${visibleText(node.label)}`}
      aria-expanded={isOpen}
      className="graph-fold nodrag"
      onClick={() => toggle(node)}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}

const KIND_ICONS: Readonly<Record<GraphNode['kind'], typeof Bot>> = {
  turn: Bot,
  tell: MessageSquare,
  clear: Eraser,
  script: Braces,
  command: SquareTerminal,
  call: Workflow,
  pool: Layers,
  ask: CircleHelp,
  merge: GitMerge,
  wait: Clock,
  compute: Cpu,
  choice: Milestone,
  end: Flag,
  lane: Rows3,
  start: Flag,
};

export function NodeIcon({ kind, colour }: { readonly kind: GraphNode['kind']; readonly colour: string }): ReactNode {
  const Icon = KIND_ICONS[kind];
  return <Icon size={14} aria-hidden className="shrink-0" style={{ color: colour }} strokeWidth={1.9} />;
}

const STATUS_ICONS: Readonly<
  Partial<Record<NodeLook['status'], { readonly icon: typeof Check; readonly tone: string }>>
> = {
  asks: { icon: CircleHelp, tone: 'text-warn' },
  still: { icon: Pause, tone: 'text-warn' },
  ok: { icon: Check, tone: 'text-ok' },
  partial: { icon: TriangleAlert, tone: 'text-warn' },
  bad: { icon: X, tone: 'text-bad' },
  left: { icon: CircleDashed, tone: 'text-muted' },
  queued: { icon: CircleDashed, tone: 'text-muted' },
};

/** How it stands, as a shape; and how often it was entered, where that was more than once. */
export function NodeMark({ look: { status, visits } }: { readonly look: NodeLook }): ReactNode {
  const mark = STATUS_ICONS[status];
  if (status === 'unvisited') return null;
  return (
    <span className="graph-mark" data-status={status} aria-hidden>
      {visits > 1 && <span className="num">×{visits}</span>}
      {status === 'active' && <span className="graph-dot" />}
      {mark !== undefined && <mark.icon size={11} strokeWidth={2.5} className={mark.tone} />}
    </span>
  );
}

/** By state; those of a file that is looked at, not of a run. */
export const ProblemsContext = createContext<ReadonlyMap<string, readonly PlacedProblem[]>>(new Map());

/** A sign at a node whose state has problems; the sentences when pointed at. */
export function NodeProblem({ node }: { readonly node: GraphNode }): ReactNode {
  const byState = useContext(ProblemsContext);
  const problems = node.run !== null ? [] : node.states.flatMap((state) => byState.get(state) ?? []);
  if (problems.length === 0) return null;
  const isError = problems.some(({ severity }) => severity === 'error');
  const text = problems.map(({ message }) => visibleText(message)).join('\n');
  return (
    <span
      className={`graph-problem ${isError ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn'}`}
      title={text}
      role="img"
      aria-label={`${counted(problems.length, 'problem')}: ${text}`}
    >
      <TriangleAlert size={11} aria-hidden /> {problems.length}
    </span>
  );
}
