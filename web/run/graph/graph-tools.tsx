import { useReactFlow } from '@xyflow/react';
import { LocateFixed, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton, Kbd } from '../../ui/controls.tsx';

interface GraphBarProps {
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

/** The row above a picture, as high as the tabs next to it. */
export function GraphBar({ lead, children }: GraphBarProps): ReactNode {
  return (
    <div className="flex h-[37px] shrink-0 items-center gap-0.5 border-b border-line bg-surface px-2">
      {lead}
      <span className="ml-auto flex min-w-0 items-center gap-0.5">{children}</span>
    </div>
  );
}

interface GraphToolsProps {
  readonly onFit: () => void;
  /** Not all of it can be shown and read at once. */
  readonly isPart: boolean;
  /** Null where nothing can be followed. */
  readonly follow: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
  readonly lead: ReactNode;
}

/** Beside the picture and not upon it: no tool lies over a node. */
export function GraphTools({ onFit, isPart, follow, lead }: GraphToolsProps): ReactNode {
  const flow = useReactFlow();
  return (
    <GraphBar lead={lead}>
      {follow !== null && (
        <IconButton label="Follow what is active" isPressed={follow.isOn} onClick={() => follow.set(!follow.isOn)}>
          <LocateFixed size={15} aria-hidden />
        </IconButton>
      )}
      {isPart ? (
        <Button kind="quiet" aria-keyshortcuts="0" title="Shows the whole graph, and goes back" onClick={onFit}>
          <Maximize size={15} aria-hidden /> Whole graph <Kbd keys="0" />
        </Button>
      ) : (
        <IconButton label="Whole graph" aria-keyshortcuts="0" onClick={onFit}>
          <Maximize size={15} aria-hidden />
        </IconButton>
      )}
      <IconButton label="Zoom out" onClick={() => void flow.zoomOut()}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in" onClick={() => void flow.zoomIn()}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
    </GraphBar>
  );
}
