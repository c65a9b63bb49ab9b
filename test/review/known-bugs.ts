import type { ShownLine } from './read-pack.ts';

/** What a reviewer knows of an implementation after all that it was shown. */
export interface Known {
  readonly isGreen: boolean | null;
  /** Lines that came with the implementation and are still there, by file. */
  readonly files: ReadonlyMap<string, readonly ShownLine[]>;
  /** Lines that a revision took away. */
  readonly gone: readonly string[];
}

export interface Bug {
  readonly name: string;
  readonly severity: 'critical' | 'major';
  readonly priority: number;
  readonly claim: string;
  readonly change: string;
  /** How much it speaks against an implementation. */
  readonly weight: number;
  /** Where it is; null when it is not there. */
  readonly find: (known: Known) => Place | null;
}

export interface Place {
  readonly file: string | null;
  readonly line: number | null;
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');

const lineWith =
  (pattern: RegExp) =>
  ({ files }: Known): Place | null => {
    for (const [file, lines] of files) {
      const found = isTest(file) ? undefined : lines.find(({ text }) => pattern.test(text));
      if (found !== undefined) return { file, line: found.line };
    }
    return null;
  };

const MIXED = /return decode\(text\.toLowerCase\(\)\)/;

export const BUGS = {
  mixedCase: {
    name: 'mixedCase',
    severity: 'critical',
    priority: 1,
    weight: 10,
    claim: 'Mixed case is accepted, which the document forbids.',
    change: 'Return null where capitals and small letters are mixed.',
    find: lineWith(MIXED),
  },
  noChecksum: {
    name: 'noChecksum',
    severity: 'critical',
    priority: 1,
    weight: 50,
    claim: 'The checksum is cut off and never looked at.',
    change: 'Compute it and return null when it is wrong.',
    find: (known) => (known.isGreen === false ? lineWith(/words\.slice\(0, -6\)/)(known) : null),
  },
  noTests: {
    name: 'noTests',
    severity: 'major',
    priority: 2,
    weight: 20,
    claim: 'It brings no tests of its own.',
    change: 'Add tests for what the vectors leave out.',
    find: ({ files }) => (files.size === 0 || [...files.keys()].some(isTest) ? null : { file: null, line: null }),
  },
  untestedMend: {
    name: 'untestedMend',
    severity: 'major',
    priority: 2,
    weight: 5,
    claim: 'No test shows that mixed case is refused now.',
    change: 'Add one.',
    find({ files, gone }) {
      if (!gone.some((text) => MIXED.test(text))) return null;
      const isTested = [...files].some(
        ([path, lines]) => isTest(path) && lines.some(({ text }) => /mixed/i.test(text)),
      );
      return isTested ? null : { file: null, line: null };
    },
  },
} as const satisfies Readonly<Record<string, Bug>>;

export type BugName = keyof typeof BUGS;
