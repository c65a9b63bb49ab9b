import fc from 'fast-check';

/**
 * How random tests are run: the same numbers every time, so that a failure is a failure of the code; with
 * TROUPE_FUZZ_SEED and TROUPE_FUZZ_RUNS others can be tried. A failure is printed with its seed and made smaller first.
 */
export function fuzz(
  runs: number,
  options: { readonly bytes: number; readonly check: (bytes: Uint8Array) => void },
): void {
  const seed = Number(process.env['TROUPE_FUZZ_SEED'] ?? 20_261_115);
  const numRuns = Number(process.env['TROUPE_FUZZ_RUNS'] ?? runs);
  const bytes = fc.uint8Array({ minLength: options.bytes, maxLength: options.bytes });
  fc.assert(fc.property(bytes, options.check), { seed, numRuns, verbose: fc.VerbosityLevel.None, ...UNIFORM });
}

/** Bytes near 0 and 255 are nothing special here. */
const UNIFORM = { unbiased: true } as const;
