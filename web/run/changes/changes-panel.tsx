import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function ChangesPanel(): ReactNode {
  return <Empty title="Changes" why="This part is not there yet." />;
}
