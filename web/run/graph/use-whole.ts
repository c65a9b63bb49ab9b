import { useReactFlow } from '@xyflow/react';
import { useRef } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { isSameCamera, type Camera } from './camera.ts';

/** One key shows the whole picture, the same key goes back to where one looked before. */
export function useWhole(whole: () => Camera, view: GraphView): () => void {
  const flow = useReactFlow();
  const before = useRef<{ readonly camera: Camera; readonly view: GraphView } | null>(null);
  const change = (): void => {
    const [now, fit, known] = [flow.getViewport(), whole(), before.current];
    const isBack = isSameCamera(now, fit) && known?.view === view;
    before.current = isBack ? null : { camera: now, view };
    void flow.setViewport(isBack ? known.camera : fit);
  };
  useShortcut('0', 'See the whole graph, and back', change);
  return change;
}
