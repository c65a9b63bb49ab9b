import { useEffect, useRef, useState } from 'react';

/**
 * A typed text, passed on at a pause. A change from elsewhere, such as a link or a button that clears it, replaces what was
 * typed before.
 */
export function useTyped(text: string, tell: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  const [sent, setSent] = useState(text);
  if (known !== text) {
    setKnown(text);
    // A text that comes back as it was sent may be older than what was typed meanwhile.
    if (text !== sent) {
      setSent(text);
      setTyped(text);
    }
  }
  // A page that is drawn again and again is no typing: the pause goes on.
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => {
      setSent(typed);
      latest.current(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return [typed, setTyped];
}

const PAUSE_MS = 200;
