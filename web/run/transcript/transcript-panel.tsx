import type { ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';

export function TranscriptPanel(): ReactNode {
  return <Empty title="Transcript" why="This part is not there yet." />;
}
