/**
 * Loads a module when it is first used. Later uses get it without asking the loader again, which takes real time while tests
 * simulate it, and once it is there without a promise.
 */
export function loadOnce<Loaded extends object>(load: () => Promise<Loaded>): () => Loaded | Promise<Loaded> {
  let known: Loaded | Promise<Loaded> | null = null;
  return () => (known ??= load().then((loaded) => (known = loaded)));
}
