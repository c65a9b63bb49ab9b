import { useEffect, useRef, useState } from 'react';

/**
 * A text that somebody types, told when they pause. When it is changed from elsewhere, as by a link or a button that clears it,
 * that counts and not what was typed before.
 */
export function useTyped(text: string, tell: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  const [told, setTold] = useState(text);
  if (known !== text) {
    setKnown(text);
    // What comes back as it was told may be older than what was typed meanwhile.
    if (text !== told) {
      setTold(text);
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
      setTold(typed);
      latest.current(typed);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return [typed, setTyped];
}

const PAUSE_MS = 200;
