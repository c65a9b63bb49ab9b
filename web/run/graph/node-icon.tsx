import {
  Bot,
  Braces,
  CircleHelp,
  Clock,
  Cpu,
  Eraser,
  Flag,
  GitMerge,
  Layers,
  MessageSquare,
  Milestone,
  Rows3,
  SquareTerminal,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';

const ICONS: Readonly<Record<GraphNode['kind'], typeof Bot>> = {
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
  const Icon = ICONS[kind];
  return <Icon size={14} aria-hidden className="shrink-0" style={{ color: colour }} strokeWidth={1.9} />;
}
