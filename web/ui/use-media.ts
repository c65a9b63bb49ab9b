import { useCallback, useSyncExternalStore } from 'react';

function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** A phone, or a window as narrow as one. */
export const useIsNarrow = (): boolean => useMedia('(max-width: 767px)');
