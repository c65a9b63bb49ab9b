interface Moment {
  readonly debate: number;
  readonly round: number;
}

/** `first review`, `round 2`, `final review 1, round 1`. */
export function roundName({ debate, round }: Moment): string {
  if (round === 0) return 'first review';
  return `${debate > 1 ? `final review ${debate - 1}, ` : ''}round ${round}`;
}
