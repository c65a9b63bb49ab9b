/** The result of the work, or what is given for the case that it throws. */
export function orElse<Result, Otherwise>(work: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
