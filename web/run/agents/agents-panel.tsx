import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function AgentsPanel(): ReactNode {
  return <Empty title="Agents" why="This part is not there yet." />;
}
