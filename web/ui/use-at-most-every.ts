import { useEffect, useRef, useState } from 'react';

/** The newest value, but a new one no sooner than so many milliseconds after the one before. */
export function useAtMostEvery<Value>(ms: number, value: Value): Value {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(-Infinity);
  useEffect(() => {
    if (Object.is(value, shown)) return undefined;
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now();
        setShown(value);
      },
      Math.max(0, changedAt.current + ms - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [ms, value, shown]);
  return shown;
}
