import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function ArtifactsPanel(): ReactNode {
  return <Empty title="Artifacts" why="This part is not there yet." />;
}
