import { useSyncExternalStore } from 'react';
import { browserHub } from './browser-hub.ts';
import type { Link, StreamHub } from './stream-hub.ts';

let made: StreamHub | null = null;

/** Made when first used. */
export function hub(): StreamHub {
  made ??= browserHub();
  return made;
}

export function useLink(): Link {
  return useSyncExternalStore(hub().subscribe, hub().link);
}
