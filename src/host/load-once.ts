/**
 * Loads a module when it is first used. Later uses get it without asking the loader again, which takes real time while tests
 * simulate it, and once it is there without a promise. What could not be loaded is tried again at the next use.
 */
export function loadOnce<Loaded extends object>(load: () => Promise<Loaded>): () => Loaded | Promise<Loaded> {
  let known: Loaded | Promise<Loaded> | null = null;
  const loaded = (module: Loaded): Loaded => (known = module);
  const failed = (error: unknown): never => {
    known = null;
    throw error;
  };
  return () => (known ??= load().then(loaded, failed));
}
