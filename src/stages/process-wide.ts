/**
 * A value that the whole process shares. A workflow file imports `troupe/stages` from its own folder and the command line from
 * its own, so the same module may be loaded twice; what one registers the other must see.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`troupe.stages.1.${name}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  const known = holder[key];
  if (known !== undefined) return known;
  const made = make();
  holder[key] = made;
  return made;
}
