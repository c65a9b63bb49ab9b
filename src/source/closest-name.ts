/** The name the author most likely meant, if one is near enough. */
export function closestName(wrong: string, names: readonly string[]): string | undefined {
  // For a name of one or two letters every other name would be near.
  const limit = Math.floor(wrong.length / 3);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** A hint for an unknown name: the near one, or else the list of all. */
export function nameHint(wrong: string, names: readonly string[]): string | undefined {
  const closest = closestName(wrong, names);
  if (closest !== undefined) return `Did you mean "${closest}"?`;
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 12).join(', ');
  return `Known here: ${shown}${names.length > 12 ? ', …' : ''}.`;
}

/** Those most like a wrong name, the nearest first. */
export function closestNames(wrong: string, names: readonly string[], most: number): readonly string[] {
  return names
    .map((name) => ({ name, far: editDistance(wrong, name) }))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      current.push(cost(from, to, { row, column, before, previous, current }));
    }
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly before: readonly number[];
  readonly previous: readonly number[];
  readonly current: readonly number[];
}

function cost(from: string, to: string, cell: Cell): number {
  const { row, column, before, previous, current } = cell;
  const same = from[row - 1] === to[column - 1];
  const steps = [
    (previous[column] ?? 0) + 1,
    (current[column - 1] ?? 0) + 1,
    (previous[column - 1] ?? 0) + (same ? 0 : 1),
  ];
  const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  if (row > 1 && column > 1 && swapped) steps.push((before[column - 2] ?? 0) + 1);
  return Math.min(...steps);
}
