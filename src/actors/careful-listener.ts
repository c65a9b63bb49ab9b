/** Hands values on as they come. A listener that throws must not cost a reply that was paid for. */
export function carefulListener<Value>(listen: ((value: Value) => void) | undefined): (value: Value) => void {
  return (value) => {
    try {
      listen?.(value);
    } catch {
      // The listener has its own ways to report what is wrong with it.
    }
  };
}
