import { Fault } from '../../core/fault.ts';

export function unknownResource(name: string, known: readonly string[]): Fault {
  const ranked = known.map((other) => ({ other, distance: distance(name, other) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  const isNear = best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 3));
  const all = known.length === 0 ? 'No resources are configured.' : `Known: ${known.join(', ')}.`;
  return new Fault('RESOURCE_UNKNOWN', `There is no resource "${name}".`, {
    hint: isNear ? `Did you mean "${best.other}"?` : all,
    facts: { name, known },
  });
}

/** How many letters have to be added, removed or replaced. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const letter of from) {
    const next = [(row[0] ?? 0) + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
