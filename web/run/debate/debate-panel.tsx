import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function DebatePanel(): ReactNode {
  return <Empty title="Debate" why="This part is not there yet." />;
}
