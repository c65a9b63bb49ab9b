import { createContext, useCallback, useContext, useState } from 'react';

/** The unfolded rows, kept outside of the rows, since a row out of sight is removed from the page. */
export interface OpenRows {
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
}

export const OpenRowsContext = createContext<OpenRows>({ isOpen: () => false, toggle: () => undefined });

export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  }, []);
  const isOpen = useCallback((key: string) => open.has(key), [open]);
  return { isOpen, toggle };
}

export function useOpen(key: string): readonly [boolean, () => void] {
  const { isOpen, toggle } = useContext(OpenRowsContext);
  return [isOpen(key), () => toggle(key)];
}
