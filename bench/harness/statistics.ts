/** The middle value; half of the two middle ones where their number is even. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Between two values where the share falls between them. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const lower = sorted[Math.floor(place)] ?? Number.NaN;
  const upper = sorted[Math.ceil(place)] ?? Number.NaN;
  return lower + (upper - lower) * (place - Math.floor(place));
}
