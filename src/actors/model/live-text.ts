import type { CallOptions } from '../port.ts';

/** Hands text on as it streams in. A live view that breaks must not cost a reply that was paid for. */
export function liveText(options: CallOptions): (delta: string) => void {
  const { onText } = options;
  if (onText === undefined) return () => undefined;
  return (delta) => {
    try {
      onText(delta);
    } catch {
      // Whoever shows the text has its own ways to tell what is wrong with it.
    }
  };
}
