import { useEffect } from 'react';

/** Calls back when the user comes back to the window, perhaps from a terminal: no stream reports what was done with git there. */
export function useWindowFocus(returned: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', returned);
    return () => window.removeEventListener('focus', returned);
  }, [returned]);
}
