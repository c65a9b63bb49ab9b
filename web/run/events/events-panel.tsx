import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function EventsPanel(): ReactNode {
  return <Empty title="Events" why="This part is not there yet." />;
}
