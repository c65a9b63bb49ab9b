import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function ProblemsPanel(): ReactNode {
  return <Empty title="Problems" why="This part is not there yet." />;
}
