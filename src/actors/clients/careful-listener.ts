/** Whoever listens has its own ways to tell what is wrong with it; the turn goes on. */
export function carefulListener<Value>(listen: ((value: Value) => void) | undefined): (value: Value) => void {
  return (value) => {
    try {
      listen?.(value);
    } catch {
      // As above.
    }
  };
}
