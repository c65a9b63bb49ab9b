import { errorCode } from './held-folder.ts';

/** The result of the work, or the fallback if it throws. */
export function orElse<Result, Otherwise>(work: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The result of the work, or the fallback where there is no such file or folder. */
export async function unlessMissing<Result, Otherwise>(
  work: Promise<Result>,
  otherwise: Otherwise,
): Promise<Result | Otherwise> {
  return await work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return otherwise;
    throw error;
  });
}
