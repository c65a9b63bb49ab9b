import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function SteeringBar(): ReactNode {
  return <Empty title="Steering" why="This part is not there yet." />;
}
