import { useReactFlow } from '@xyflow/react';
import { LocateFixed, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';

interface Props {
  readonly onFit: () => void;
  /** Null where nothing can be followed. */
  readonly follow: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
}

export function GraphTools({ onFit, follow }: Props): ReactNode {
  const flow = useReactFlow();
  return (
    <div className="absolute right-2 bottom-2 z-10 flex flex-col rounded-md border border-line bg-surface shadow-raised">
      {follow !== null && (
        <IconButton label="Follow what is active" isPressed={follow.isOn} onClick={() => follow.set(!follow.isOn)}>
          <LocateFixed size={15} aria-hidden />
        </IconButton>
      )}
      <IconButton label="Fit the whole graph" onClick={onFit}>
        <Maximize size={15} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in" onClick={() => void flow.zoomIn()}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
      <IconButton label="Zoom out" onClick={() => void flow.zoomOut()}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
