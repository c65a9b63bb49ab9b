import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import type { SteeringReasons } from '../../model/steering-reasons.ts';
import { toast } from '../../ui/toasts.tsx';

type Dialogs = ComponentType<{ readonly dialog: string; readonly reasons: SteeringReasons }>;

/**
 * The dialogs, once one is wanted. Where they cannot be loaded, because the server is away, the user hears so and the wish is taken
 * back: a dialog that opens by itself minutes later would get keys meant for something else.
 */
export function useSteeringDialog(isWanted: boolean, giveUp: () => void): Dialogs | null {
  const [loaded, setLoaded] = useState<{ readonly dialogs: Dialogs } | null>(null);
  const failed = useEffectEvent((): void => {
    toast({ tone: 'bad', title: 'This cannot be opened while the server is away. Try it again once it is back.' });
    giveUp();
  });
  useEffect(() => {
    if (!isWanted || loaded !== null) return undefined;
    let isCurrent = true;
    import('./steering-dialog.tsx').then(
      ({ SteeringDialog }) => isCurrent && setLoaded({ dialogs: SteeringDialog }),
      () => isCurrent && failed(),
    );
    return () => void (isCurrent = false);
  }, [isWanted, loaded]);
  return loaded?.dialogs ?? null;
}
